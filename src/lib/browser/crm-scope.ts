/**
 * Makes names of stores, locks, channels and keys that belong to one CRM, so that the app never mixes the data of two CRMs
 * (decisions/config). The scope is '' for the first CRM, whose names have no suffix; otherwise it is the CRM's id, which
 * has no `@`.
 */

/** Key of the scope of the CRM shown last. */
const LAST = 'genba:crm'

/** @returns the name of a store, lock, channel or key for this CRM */
export const scoped = (name: string, scope: string): string => (scope === '' ? name : `${name}@${scope}`)

/** @returns the scope of the CRM shown last; '' if no scope is stored */
export function lastScope(): string {
  try {
    const scope = localStorage.getItem(LAST) ?? ''
    return /^[\w.-]{1,64}$/.test(scope) ? scope : ''
  } catch {
    return ''
  }
}

/** Stores the scope of the CRM to show at the next start. Does nothing if storage is full. */
export function storeScope(scope: string): void {
  try {
    if (scope === '') localStorage.removeItem(LAST)
    else localStorage.setItem(LAST, scope)
  } catch {
    // The user chooses the CRM again.
  }
}
