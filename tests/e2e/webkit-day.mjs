/**
 * The worker's day in WebKit, the iPhone's engine. `check(title, work)` runs one step and counts it; `server.offline()`
 * takes the network away and `server.online()` gives it back (WebKit itself has no offline switch).
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { controlOf, leaveUnfinished, pressOn, pressed, signIn, yes } from './webkit-hands.mjs'

const CONTENT = '排水ポンプ1号機は部品待ちです。'
const DETAILS = '2号機も過負荷で停止しました。'
const PICTURE = resolve(import.meta.dirname, '../../docs/screen.png')

export async function day({ page, server, check }) {
  const control = controlOf(server)
  const press = pressOn(page)
  let row

  await check('[spec 2] sign in, and the day is on the phone', async () => {
    await control('reset', { method: 'POST' })
    const { requests, today } = await control('state')
    row = requests.find(
      ({ workingDate, quickReport, ttsOrder }) =>
        workingDate === today && !quickReport && ttsOrder.emergencyFlag === '1',
    )
    await page.navigate(`${server.url}/login`)
    await signIn(page)
    await page.hasText('オフラインで使えます', { timeout: 60_000 })
    await page.execute(() => navigator.serviceWorker.ready.then(() => true))
  })

  await check('[PWA] reloaded without network, the day is still there', async () => {
    await server.offline()
    await page.reload()
    await page.hasText(row.requestCode)
    await page.hasText('オフライン', { timeout: 20_000 })
  })

  await check('[SV1] the entry is saved without network', async () => {
    await page.navigate(`${server.url}/request/${row.id}?workingDate=${row.workingDate}`)
    await press('入館登録 未入館', 'button')
    await press('登録')
    for (let question = 0; question < 3; question += 1) await yes(page)
    await page.hasText('未送信 1件')
  })

  await check('[SV1] the exit report is saved without network', async () => {
    await leaveUnfinished(page, CONTENT)
    await page.hasText('未送信 2件')
  })

  await check('[SV1] the page is gone and opened again: both are still there', async () => {
    await page.navigate('about:blank')
    await page.navigate(`${server.url}/request/${row.id}?workingDate=${row.workingDate}`)
    await page.hasText('未送信 2件')
  })

  await check('[SV1] the page is left in the middle of a write: the next one reads and writes', async () => {
    for (const between of [[], ['about:blank']]) {
      await page.execute(writeOnAndOn)
      for (const address of between) await page.navigate(address)
      await page.navigate(`${server.url}/request/${row.id}?workingDate=${row.workingDate}`)
      await page.hasText('未送信 2件')
      await page.execute(writeOnce)
    }
  })

  await check('[SV2] the network is back: one entry and one exit in the CRM', async () => {
    await server.online()
    await page.waitFor(() => !document.body.innerText.includes('未送信'), {
      what: 'everything to be sent',
      timeout: 40_000,
    })
    const { quickReports } = await control('state')
    const mine = quickReports.filter(({ requestId, origin }) => requestId === row.id && origin === 'call')
    assert.equal(mine.length, 1)
    assert.equal(mine[0].type, '2')
    assert.equal(mine[0].reportContent, CONTENT)
    assert.ok(Date.parse(mine[0].outTime) >= Date.parse(mine[0].inTime))
    const calls = (await control('calls')).filter(
      ({ method, path, acted }) => method !== 'GET' && acted && path.includes('/quickReport/'),
    )
    assert.deepEqual(
      calls.map(({ method }) => method),
      ['POST', 'PUT'],
    )
  })

  await check('[SV1] an emergency report with a photo is saved without network', async () => {
    await page.navigate(`${server.url}/settings`)
    await press('写真を元のサイズで送信', 'input')
    await server.offline()
    await page.navigate(`${server.url}/request/${row.id}?workingDate=${row.workingDate}`)
    await pressed(() => page.xpath('//a[contains(., "緊急報告")]'))
    await press('新規登録', 'a')
    for (const name of ['機器面', '冠水・水没', '当日', '連絡済']) await press(name, 'input')
    await (await page.css('textarea')).fill(DETAILS)
    await (await page.css('input[type="file"]')).type(PICTURE)
    await page.hasText('入力途中')
    await press('保存')
    await page.hasText('未送信 1件')
  })

  await check('[SV1] the page is gone and opened again: the photo is still there', async () => {
    await page.navigate('about:blank')
    await page.navigate(`${server.url}/outbox`)
    await page.hasText('写真 0 / 1枚 送信済')
  })

  await check(
    '[SV2][OR2] the network is back: the report in the CRM, the photo in its folder, byte for byte',
    async () => {
      await server.online()
      await page.waitFor(() => !document.body.innerText.includes('未送信 1件'), {
        what: 'the photo to be sent',
        timeout: 40_000,
      })
      const { emergencyReports, files, folders } = await control('state')
      const mine = emergencyReports.filter(({ origin }) => origin === 'call')
      assert.deepEqual(
        mine.map(({ requestId, emergencyContentsDetails }) => [requestId, emergencyContentsDetails]),
        [[row.id, DETAILS]],
      )
      assert.deepEqual(
        files.map(({ sha256 }) => sha256),
        [createHash('sha256').update(readFileSync(PICTURE)).digest('hex')],
      )
      assert.equal(folders.find(({ id }) => id === files[0].folderId).name, mine[0].name)
    },
  )

  await check('[spec 9] nothing of the day is an error', async () => {
    await page.navigate(`${server.url}/error-logs`)
    await page.hasText('エラーは発生していません')
  })
}

/** Runs in the page: one transaction on the queue after the other, so that the page is left in one of them. */
const writeOnAndOn = `
  return new Promise(async (done) => {
    const names = (await indexedDB.databases()).map(({ name }) => name)
    const opened = indexedDB.open(names.find((name) => name.endsWith('--own')))
    opened.onsuccess = () => {
      const write = () => {
        const transaction = opened.result.transaction('docs', 'readwrite')
        transaction.objectStore('docs').get('none')
        transaction.oncomplete = write
      }
      write()
      done()
    }
  })
`

/** Runs in the page: a transaction on the queue ends. */
const writeOnce = writeOnAndOn
  .replace('oncomplete = write', 'oncomplete = done')
  .replace('      done()\n', '')
