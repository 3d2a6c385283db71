/**
 * Each CRM of this device has its own part of it: what is named here for one CRM is never read for another
 * (decisions/config). The scope is '' for the CRM whose data has the names of before there were several, else the CRM's
 * id, which has no `@`.
 */

/** Which CRM was looked at last: its scope. */
const LAST = 'genba:crm'

/** @returns the name that a store, lock, channel or key has for this CRM */
export const scoped = (name: string, scope: string): string => (scope === '' ? name : `${name}@${scope}`)

/** @returns the scope of the CRM that was looked at last; '' where nothing says it */
export function lastScope(): string {
  try {
    const scope = localStorage.getItem(LAST) ?? ''
    return /^[\w.-]{1,64}$/.test(scope) ? scope : ''
  } catch {
    return ''
  }
}

/** Where there is no room the next start shows the same CRM as this one. */
export function keepScope(scope: string): void {
  try {
    if (scope === '') localStorage.removeItem(LAST)
    else localStorage.setItem(LAST, scope)
  } catch {
    // the choice is made again
  }
}
