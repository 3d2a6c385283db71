/** Submit behaviour shared by all forms, independent of the form library (spec 5). */

/**
 * Delay in ms before a submit shows a busy state. Most saves are faster, and rendering it would only slow them down.
 */
export const BUSY_AFTER_MS = 150

/** Blurs the focused input, because its rules run on blur. Enter, and the button on a phone, submit without a blur. */
export function leaveField(form: HTMLFormElement): void {
  const active = document.activeElement
  if (active instanceof HTMLInputElement && form.contains(active)) active.blur()
}
