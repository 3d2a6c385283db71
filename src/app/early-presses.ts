/**
 * Presses on the kept rows before the app's first line: `first-paint.ts` keeps them in the document, by the place of the
 * control among all, and `first-rows.ts` takes them over. A row answered by the browser itself would load the page anew.
 */
const CONTROLS = 'a, button'

export const controlAt = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(CONTROLS) : null

/** A telephone, a map: the browser's own affair. */
export const isOurs = (control: HTMLElement): boolean =>
  !(control instanceof HTMLAnchorElement && control.origin !== location.origin)

/** Keeps from now on what a finger is on (`data-held`), and what it was lifted from (`data-wanted`). */
export function keepPresses(root: HTMLElement): void {
  const release = () => delete root.dataset['held']
  const note = (event: Event) => {
    const control = controlAt(event.target)
    if (!control || !isOurs(control)) return
    const at = [...root.querySelectorAll(CONTROLS)].indexOf(control)
    if (event.type === 'pointerdown') root.dataset['held'] = String(at)
    else {
      event.preventDefault()
      root.dataset['wanted'] = String(at)
      control.dataset['pressed'] = ''
    }
  }
  root.onpointerdown = note
  root.onclick = note
  root.onpointerup = release
  root.onpointercancel = release
}

/** Takes over what was kept, and ends the keeping. */
export function takePresses(root: HTMLElement): { held: HTMLElement | null; wanted: HTMLElement | null } {
  const take = (name: 'held' | 'wanted') => {
    const at = root.dataset[name]
    delete root.dataset[name]
    return at === undefined ? null : (root.querySelectorAll<HTMLElement>(CONTROLS)[Number(at)] ?? null)
  }
  root.onpointerdown = null
  root.onclick = null
  root.onpointerup = null
  root.onpointercancel = null
  return { held: take('held'), wanted: take('wanted') }
}
