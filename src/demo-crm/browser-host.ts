/**
 * The demo CRM in the browser, only in mode `demo`. It replaces the app's `fetch`; it has no service worker of its own.
 */
import { openBrowserStore } from './browser-store.ts'
import { createDemoCrm, type DemoCrm, type DemoCrmEnv } from './demo-crm.ts'

/** A build check searches for this text, which must not be in a production build. */
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
