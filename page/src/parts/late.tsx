// Parts whose code comes when somebody wants to see them: the first script stays small.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Waiting } from './states.tsx';

export function late<Props extends object>(load: () => Promise<ComponentType<Props>>, what: string): (props: Props) => preact.JSX.Element {
  let loaded: ComponentType<Props> | undefined;
  return function Late(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props> | undefined>(() => loaded);
    useEffect(() => {
      if (!Part) void load().then((part) => { loaded = part; setPart(() => part); });
    }, []);
    return Part ? <Part {...props} /> : <Waiting what={what} />;
  };
}
