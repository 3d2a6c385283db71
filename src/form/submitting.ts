/** What every form does with a submit, whatever it is made of (spec 5). */

/** Longer than a save to the device takes: what is over sooner draws nothing, which would only hold it up. */
export const BUSY_AFTER_MS = 150

/** Enter, and on a phone the button too, submits with the focus still in a field: it is left first, as its rules ask. */
export function leaveField(form: HTMLFormElement): void {
  const active = document.activeElement
  if (active instanceof HTMLInputElement && form.contains(active)) active.blur()
}
