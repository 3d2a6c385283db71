/** How a CRM of this device stands: kept in localStorage, whose changes every page of this device is told of. */
import { scoped } from '#lib/browser/crm-scope.ts'
import { readStoredJson } from '#lib/browser/stored-json.ts'

const NAME = 'genba:standing'

export interface KeptStanding {
  /** closed: somebody is signed in, but what lies there cannot be opened; locked: it waits for its password. */
  session: 'open' | 'closed' | 'locked' | 'timed-out' | 'signed-out'
  /** Cards of 送信状況. */
  unsent: number
  /** Somebody must decide about some of it. */
  failed: boolean
}

const NOTHING: KeptStanding = { session: 'signed-out', unsent: 0, failed: false }

export const keptStanding = (scope: string): KeptStanding =>
  readStoredJson(localStorage.getItem(scoped(NAME, scope)), NOTHING)

export function keepStanding(scope: string, standing: KeptStanding): void {
  const [name, text] = [scoped(NAME, scope), JSON.stringify(standing)]
  try {
    if (localStorage.getItem(name) !== text) localStorage.setItem(name, text)
  } catch {
    // no room: better none than a wrong one
    localStorage.removeItem(name)
  }
}

/** Calls back whenever another page has told how one stands. */
export function watchStandings(changed: () => void): void {
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key.startsWith(NAME)) changed()
  })
}
