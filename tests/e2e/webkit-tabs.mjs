/**
 * Two tabs of one phone in WebKit, after the day: what is saved in one is seen in the other, and each change is sent once.
 * Windows here: a tab behind another takes no press from the driver.
 */
import assert from 'node:assert/strict'
import { waitFor } from '../support/webdriver.mjs'
import { controlOf, leaveUnfinished, pressOn, yes } from './webkit-hands.mjs'

const CONTENT = '二つのタブで入力しました。'

export async function tabs({ page, server, check }) {
  const control = controlOf(server)
  const press = pressOn(page)
  const first = await page.window()
  let second
  let rows
  /** What the day has left in the CRM. */
  let before

  const open = (row) => page.navigate(`${server.url}/request/${row.id}?workingDate=${row.workingDate}`)
  const nothingUnsent = () =>
    page.waitFor(() => !document.body.innerText.includes('未送信'), {
      what: 'everything to be sent',
      timeout: 120_000,
    })
  const writes = async () =>
    (await control('calls'))
      .slice(before.calls)
      .filter(({ method, path, acted }) => method !== 'GET' && acted && path.includes('/quickReport/'))
      .map(({ method }) => method)
  /** The requests of the reports that calls have made, one for each report. */
  const reports = async () =>
    (await control('state')).quickReports
      .filter(({ origin }) => origin === 'call')
      .map(({ requestId }) => requestId)
  const enter = async () => {
    await press('入館登録 未入館')
    await press('登録')
    for (let question = 0; question < 3; question += 1) await yes(page)
  }

  await check('[OR1] two tabs without network: what one saves stands in the other', async () => {
    await server.online()
    await page.navigate(`${server.url}/request`)
    await nothingUnsent()
    before = { calls: (await control('calls')).length, reports: await reports() }
    const { requests, today } = await control('state')
    rows = requests.filter(({ workingDate, quickReport }) => workingDate === today && !quickReport)
    await open(rows[0])
    second = await page.openWindow()
    await open(rows[0])
    await page.hasText(rows[0].requestCode)
    await server.offline()
    await enter()
    await page.hasText('未送信 1件')
    await page.toWindow(first)
    await page.hasText('未送信 1件')
    await leaveUnfinished(page, CONTENT)
    await page.hasText('未送信 2件')
    await page.toWindow(second)
    await page.hasText('未送信 2件')
  })

  await check('[OR1] the network is back: each change of the two tabs is sent once', async () => {
    await server.online()
    for (const tab of [second, first]) {
      await page.toWindow(tab)
      await nothingUnsent()
    }
    assert.deepEqual(await writes(), ['POST', 'PUT'])
  })

  await check(
    '[OR1][SV2] a tab is closed while what is unsent goes: the other goes on, each arrives once',
    async () => {
      const left = rows.slice(1, 4)
      await server.offline()
      await page.toWindow(second)
      for (const [at, row] of left.entries()) {
        await open(row)
        await enter()
        await page.hasText(`未送信 ${at + 1}件`)
      }
      const slow = {
        id: 'slow',
        kind: 'delay',
        path: '/quickReport/',
        method: 'POST',
        ms: 3000,
        count: 'always',
      }
      await control('faults', { method: 'POST', body: JSON.stringify([slow]) })
      const from = (await control('calls')).length
      await server.online()
      await waitFor(
        async () => (await control('calls')).slice(from).some(({ method }) => method === 'POST'),
        { what: 'a write', timeout: 40_000 },
      )
      await page.closeWindow()
      await page.toWindow(first)
      await control('faults', { method: 'POST', body: '[]' })
      await nothingUnsent()
      const made = (await reports()).filter((id) => !before.reports.includes(id))
      const wanted = [rows[0], ...left].map(({ id }) => id)
      assert.equal(made.length, wanted.length)
      assert.deepEqual(new Set(made), new Set(wanted))
      assert.equal((await writes()).length, 2 + left.length)
    },
  )
}
