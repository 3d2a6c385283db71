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

/** Keeps `states` up to date. @returns `send`, which starts the sending for the CRMs that are not on the screen */
export function followSeveral({ settings, sessions, scope, userData, states, report }: Several) {
  const update = () => states.set(statesOf(settings, scope))
  update()
  watchSummaries(update)
  return {
    /** @returns null if there is only one CRM */
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

/** @returns an empty list if there is only one CRM */
function statesOf(settings: Several['settings'], shown: string): CrmState[] {
  const crms = settings.crms()
  if (crms.length < 2) return []
  return crms.map(({ scope, crmName, appName }) => {
    const summary = readSummary(scope)
    const session = settings.isNamed(scope) ? summary.session : 'removed'
    return { ...summary, session, scope, name: crmName || appName, isShown: scope === shown }
  })
}
