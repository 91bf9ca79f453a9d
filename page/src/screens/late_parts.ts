// Everything that is loaded when somebody wants to see files, a picture or a path: one file of script, which compresses
// better than several.
export { ChangesPane } from '../reader/changes.tsx';
export { FilesView } from './files.tsx';
export { PathForm } from './path.tsx';
export { Picture } from './picture.tsx';
