/** The demo CRM in the browser, for mode `demo` only: injected as the app's `fetch`; no service worker of its own. */
import { openBrowserStore } from './browser-store.ts'
import { createDemoCrm, type DemoCrm, type DemoCrmEnv } from './demo-crm.ts'

/** A build check looks for this text: it must not be in production. */
const MARKER = 'demo-crm-marker'

/** @param now epoch ms */
export async function openBrowserDemoCrm(env: DemoCrmEnv, now: () => number): Promise<DemoCrm> {
  const store = await openBrowserStore()
  const mark = () => store.transaction((tx) => tx.write(new Map([[MARKER, { since: now() }]])))
  await mark()
  const crm = createDemoCrm({ env, store, now })
  const reset = async () => {
    await crm.reset()
    await mark()
  }
  return { ...crm, reset }
}
