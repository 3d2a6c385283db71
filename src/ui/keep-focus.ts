import type { KeyboardEvent } from 'react'

const TABBABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]'

/** Tab goes round inside the dialog; by itself it would leave it for the browser's own bars. */
export function keepFocus(event: KeyboardEvent<HTMLDialogElement>): void {
  const dialog = event.currentTarget
  const { target } = event
  if (event.key !== 'Tab' || !(target instanceof Element) || target.closest('dialog') !== dialog) return
  const stops = stopsIn(dialog)
  const end = event.shiftKey ? stops[0] : stops.at(-1)
  if (!end || (target !== end && target !== dialog)) return
  if (target === dialog && !event.shiftKey) return
  event.preventDefault()
  ;(event.shiftKey ? stops.at(-1) : stops[0])?.focus()
}

/** Where Tab stops: of the radios of a group only at the chosen one, or at the first. */
function stopsIn(dialog: HTMLElement): HTMLElement[] {
  const all = [...dialog.querySelectorAll<HTMLElement>(TABBABLE)]
  return all.filter((each) => {
    if (!(each instanceof HTMLInputElement) || each.type !== 'radio') return true
    const group = all.filter(
      (other): other is HTMLInputElement => other instanceof HTMLInputElement && other.name === each.name,
    )
    return each === (group.find(({ checked }) => checked) ?? group[0])
  })
}
