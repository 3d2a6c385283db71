/** Functions for the submit of a form that need no form library (spec 5). */

const FIRST_ERROR = '[aria-invalid="true"]'
const CONTROL = 'input:not(:disabled), select:not(:disabled), textarea:not(:disabled)'

/** Scrolls to the first invalid field and focuses it, once React has rendered the errors (spec 5). */
export function focusFirstError(root: ParentNode = document): void {
  requestAnimationFrame(() => {
    const first = root.querySelector<HTMLElement>(FIRST_ERROR)
    if (!first) return
    const control = first.matches(CONTROL) ? first : first.querySelector<HTMLElement>(CONTROL)
    const label = first.id && root.querySelector(`label[for="${CSS.escape(first.id)}"]`)
    ;(label || first).scrollIntoView({ block: 'start' })
    control?.focus({ preventScroll: true })
  })
}

/** Milliseconds until a submit shows a busy state. Most saves are faster, and rendering the state would slow them. */
export const BUSY_AFTER_MS = 150

/** Blurs the focused input, because some conversions run on blur and Enter submits without a blur. */
export function leaveField(form: HTMLFormElement): void {
  const active = document.activeElement
  if (active instanceof HTMLInputElement && form.contains(active)) active.blur()
}
