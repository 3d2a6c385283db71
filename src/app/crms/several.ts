/**
 * Follows the summaries of several CRMs, and sends the unsent work of those that are not on the screen
 * (decisions/config).
 */
import type { CrmState } from '#data/context/app-context.tsx'
import type { WritableStore } from '#lib/value-store.ts'
import type { CrmsParts } from './crms.ts'
import { readSummary, watchSummaries } from './crm-summary.ts'
import type { Suspendable } from './send-others.ts'

interface Several extends CrmsParts {
  states: WritableStore<readonly CrmState[]>
}

/** Updates `states` until the page closes. @returns `send`, which sends the work of CRMs that are not on screen */
export function followSeveral({ settings, sessions, scope, userData, states, report }: Several) {
  const update = () => states.set(statesOf(settings, scope))
  update()
  watchSummaries(update)
  return {
    /** Starts the sending. @returns null if the device uses only one CRM */
    async send(): Promise<Suspendable | null> {
      update()
      if (states.get().length === 0) return null
      const [{ publishSummary }, { sendOthers }] = await Promise.all([
        import('./publish-summary.ts'),
        import('./send-others.ts'),
      ])
      publishSummary({ scope, sessions, data: userData })
      const scopes = states.get().flatMap(({ isShown, session, scope: other }) => {
        return isShown || session === 'removed' ? [] : [other]
      })
      return sendOthers(scopes, report)
    },
  }
}

/** Returns the state of each CRM; [] if the device uses only one. @param shown scope of the CRM on screen */
function statesOf(settings: Several['settings'], shown: string): CrmState[] {
  const crms = settings.crms()
  if (crms.length < 2) return []
  return crms.map(({ scope, crmName, appName }) => {
    const summary = readSummary(scope)
    const session = settings.isNamed(scope) ? summary.session : 'removed'
    return { ...summary, session, scope, name: crmName || appName, isShown: scope === shown }
  })
}
