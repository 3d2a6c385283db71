/** Names of stores, locks, channels and keys for one CRM (decisions/config). The scope is its id, '' for the first. */

const LAST_SCOPE_KEY = 'genba:crm'

/** @returns the name of a store, lock, channel or key of this CRM */
export const scoped = (name: string, scope: string): string => (scope === '' ? name : `${name}@${scope}`)

/** @returns the scope of the CRM that was shown last; '' if none is stored */
export function lastScope(): string {
  try {
    const scope = localStorage.getItem(LAST_SCOPE_KEY) ?? ''
    return /^[\w.-]{1,64}$/.test(scope) ? scope : ''
  } catch {
    return ''
  }
}

/** Stores the scope of the CRM that the next start opens. Does nothing if the device is full. */
export function storeScope(scope: string): void {
  try {
    if (scope === '') localStorage.removeItem(LAST_SCOPE_KEY)
    else localStorage.setItem(LAST_SCOPE_KEY, scope)
  } catch {
    // The next start then opens another CRM, and the user chooses again.
  }
}
