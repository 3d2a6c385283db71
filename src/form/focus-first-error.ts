const FIRST_ERROR = '[aria-invalid="true"]'
const CONTROL = 'input:not(:disabled), select:not(:disabled), textarea:not(:disabled)'

/** Scrolls to the first invalid field and focuses it, after React has rendered the errors (spec 5). */
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
