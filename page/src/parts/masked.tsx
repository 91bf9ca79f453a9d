// Says that secrets in a text are masked, and shows their values when asked. Only a page of this machine offers that:
// elsewhere somebody may look over the shoulder of the network.
import { isLoopback } from '../model/format.ts';
import { Icon } from './icon.tsx';

export const isHere = typeof location !== 'undefined' && isLoopback(location.hostname);

export function Masked({ secrets, isShown, toggle }: { secrets: string[]; isShown: boolean; toggle: () => void }) {
  if (secrets.length === 0) return null;
  return (
    <p class="masked">
      <span class="badge"><Icon name={isShown ? 'eye' : 'closed'} /> {isShown ? 'secrets shown' : 'text masked'}</span>
      <span class="quiet"> {secrets.join(', ')} {isShown ? 'in clear' : 'masked'}</span>
      {isHere && <button type="button" class="more" aria-pressed={isShown} onClick={toggle}>{isShown ? 'mask again' : 'show'}</button>}
    </p>
  );
}
