/** Names of stores, locks, channels and keys for one CRM (decisions/config). The scope is its id, '' for the first. */
import { storeText } from './stored-json.ts'

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

/** Stores the scope of the CRM that the next start opens. If the device is full, the first CRM opens. */
export const storeScope = (scope: string): void => storeText(LAST_SCOPE_KEY, scope || null)
