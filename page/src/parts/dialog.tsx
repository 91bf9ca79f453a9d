// A dialog of the browser's own: it keeps the focus inside and gives it back.
import type { ComponentChild } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export function Dialog({ label, close, class: name = '', children }: { label: string; close: () => void; class?: string; children: ComponentChild }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    return () => element.close();
  }, []);
  return (
    <dialog ref={dialog} class={name} aria-label={label} onClose={close} onCancel={(event) => { event.preventDefault(); close(); }}
      onMouseDown={(event) => { if (event.target === dialog.current) close(); }}>
      {children}
    </dialog>
  );
}
