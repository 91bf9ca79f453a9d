// Everything that is loaded when somebody wants to see files and their lines, a picture or a path: one file of script, which compresses
// better than several.
export { ChangesPane } from '../reader/changes.tsx';
export { BlameView } from './blame.tsx';
export { FilesView } from './files.tsx';
export { PathForm } from './path.tsx';
export { Picture } from './picture.tsx';
