/** Follows the summaries of several CRMs, and sends for the CRMs that are not on the screen (decisions/config). */
import type { CrmState } from '#data/context/app-context.tsx'
import type { WritableStore } from '#lib/value-store.ts'
import type { CrmsParts } from './crms.ts'
import { readSummary, watchSummaries } from './crm-summary.ts'
import type { Suspendable } from './send-others.ts'

interface Several extends CrmsParts {
  states: WritableStore<readonly CrmState[]>
}

/** Follows the CRMs. @returns `send` starts sending for the CRMs that are not on the screen */
export function followSeveral({ settings, sessions, scope, userData, states, report }: Several) {
  const update = () => states.set(statesOf(settings, scope))
  update()
  watchSummaries(update)
  return {
    /** @returns null if `config.json` now names a single CRM */
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

/** @returns an empty list for a single CRM */
function statesOf(settings: Several['settings'], shown: string): CrmState[] {
  const crms = settings.crms()
  if (crms.length < 2) return []
  return crms.map(({ scope, crmName, appName }) => {
    const summary = readSummary(scope)
    const session = settings.isNamed(scope) ? summary.session : 'removed'
    return { ...summary, session, scope, name: crmName || appName, isShown: scope === shown }
  })
}
