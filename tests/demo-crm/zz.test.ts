import { test } from 'vitest'
import { openHarness } from './harness.ts'
import { loadConfigFromFile } from 'vite'
import { writeFileSync, rmSync } from 'node:fs'
test('look', async () => {
  const h = await openHarness()
  const { json } = await h.rest('GET', 'request/search?workingDateFrom=2026-11-20&workingDateTo=2026-11-21')
  for (const r of json) console.log(r.id, r.requestCode, r.workingDate, r.workingStartTime.slice(11,16), r.workingEndTime.slice(11,16), r.workingDateType, r.ttsOrder.orderFlag, r.ttsOrder.emergencyFlag, r.ttsOrder.locationArea.name, r.safetyDirectionName, r.safetyStatus, r.noteLocationAreaCount, r.customerLocationChangeStatus + r.inLocationContactChangeStatus + r.outLocationContactChangeStatus, r.quickReport?.outTime)
  const one = await h.rest('GET', 'request/' + json[1].id)
  console.log(JSON.stringify(one.json, null, 1))
  const t = performance.now(); for (let i = 0; i < 20; i++) await h.rest('GET', 'request/search?limit=50&workingDateFrom=2026-11-19&workingDateTo=2026-12-04'); console.log((performance.now() - t) / 20, 'ms a search')
  writeFileSync('tests/demo-crm/zz.config.ts', "import { demoCrmMiddleware } from '#demo-crm/node-host.ts'\nimport { createDemoCrm } from '#demo-crm/demo-crm.ts'\nexport default { plugins: [{ name: String(typeof demoCrmMiddleware) + typeof createDemoCrm }] }")
  try { console.log(JSON.stringify((await loadConfigFromFile({ command: 'serve', mode: 'x' }, 'tests/demo-crm/zz.config.ts'))?.config)) } catch (e) { console.log('config', String(e).slice(0, 300)) }
  rmSync('tests/demo-crm/zz.config.ts')
})
