/** The demo CRM in the browser. It replaces the app's `fetch`, only in mode `demo`. */
import { openBrowserStore } from './browser-store.ts'
import { createDemoCrm, type DemoCrm, type DemoCrmEnv } from './demo-crm.ts'

/** `npm run size` searches for this text, which must not be in a production build. */
const MARKER = 'demo-crm-marker'

/** @param now epoch ms */
export async function openBrowserDemoCrm(env: DemoCrmEnv, now: () => number): Promise<DemoCrm> {
  const store = await openBrowserStore()
  const writeMarker = () => store.transaction((tx) => tx.write(new Map([[MARKER, { since: now() }]])))
  await writeMarker()
  const crm = createDemoCrm({ env, store, now })
  const reset = async () => {
    await crm.reset()
    await writeMarker()
  }
  return { ...crm, reset }
}
