/** Summary of a CRM (session, unsent work) in localStorage, whose changes all pages of the device receive. */
import { scoped } from '#lib/browser/crm-scope.ts'
import { readStoredJson } from '#lib/browser/stored-json.ts'

const NAME = 'genba:crm-summary'

export interface CrmSummary {
  /** closed: signed in, but the stores cannot be opened; locked: waits for the password. */
  session: 'open' | 'closed' | 'locked' | 'timed-out' | 'signed-out'
  /** Number of unsent cards in 送信状況. */
  unsent: number
  /** True if some of it needs a decision by the user. */
  failed: boolean
}

const NOTHING: CrmSummary = { session: 'signed-out', unsent: 0, failed: false }

export const readSummary = (scope: string): CrmSummary =>
  readStoredJson(localStorage.getItem(scoped(NAME, scope)), NOTHING)

export function writeSummary(scope: string, summary: CrmSummary): void {
  const [name, text] = [scoped(NAME, scope), JSON.stringify(summary)]
  try {
    if (localStorage.getItem(name) !== text) localStorage.setItem(name, text)
  } catch {
    // The storage is full, so the summary is removed: none is better than a wrong one.
    localStorage.removeItem(name)
  }
}

/** Calls back whenever another page writes a summary. */
export function watchSummaries(changed: () => void): void {
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key.startsWith(NAME)) changed()
  })
}
