/** The CRMs of a device that uses several (decisions/config). With one CRM, no other file of this folder loads. */
import type { CrmState, SessionServices } from '#data/context/app-context.tsx'
import { createValueStore } from '#lib/value-store.ts'
import { storeScope } from '#lib/browser/crm-scope.ts'
import type { CrmsParts, Suspendable } from './several.ts'

/** @returns the CRMs' summaries; `suspend` closes the others' databases and returns a function that opens them */
export function createCrms(parts: CrmsParts): SessionServices['crms'] & Suspendable {
  const { settings, memory, firstPaint, report } = parts
  const states = createValueStore<readonly CrmState[]>([])
  const followIfSeveral = async () => {
    if (settings.crms().length < 2) return null
    const { followSeveral } = await import('./several.ts')
    return followSeveral({ ...parts, states })
  }
  const atStart = followIfSeveral().catch((error: unknown) => {
    report(error)
    return null
  })
  let sending: Suspendable | null = null
  void Promise.all([atStart, settings.usable, firstPaint])
    .then(async ([followed]) => {
      const several = followed ?? (await followIfSeveral())
      sending = (await several?.send()) ?? null
    })
    .catch(report)
  return {
    get: states.get,
    subscribe: states.subscribe,
    choose(other) {
      storeScope(other)
      memory.clear()
      location.assign('/')
    },
    suspend: async () => (await sending?.suspend()) ?? (() => undefined),
  }
}
