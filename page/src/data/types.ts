// The answers of the server: those of api.ts, which is generated, and names for parts of them.
import type { Api, Json } from './api.ts';

export type * from './api.ts';

export type Content = Record<string, Json>;
export type Connections = Api['/api/thoughts/{cid}/connections']['answer'];
export type Connection = Connections['connections'][number];
export type Changes = Api['/api/conversations/{conversation}/diff']['answer'];
