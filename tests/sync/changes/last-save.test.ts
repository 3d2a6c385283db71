/** The CRM gets the content that was saved last, even if the create was refused or expired (OR2, SV2). */
import { describe, expect, test } from 'vitest'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { wish } from '#data/fetch-requests/wishes.ts'
import { until, type Device } from '../../support/device.ts'
import { isOpen, wordedCases, type WordedCase } from '../../support/record-saves.ts'
import { nth, todayScene, statesOf } from '../../support/replication.ts'
import { rowsIn } from '../../support/stored-views.ts'

const app = todayScene()
const DAY = 86_400_000

/** 「最初」 is saved and edited to 「途中」, without signal. */
async function madeAndEdited({ save }: WordedCase): Promise<{ device: Device; request: RequestRecord }> {
  const device = await app.open()
  const request = nth((await app.freeRequests(device)).filter(isOpen), 0)
  device.network.next(false)
  await save(device, request, '最初')
  await save(device, request, '途中')
  return { device, request }
}

describe.each(wordedCases)('$collection: made, edited, then corrected', (row) => {
  test('[OR2b][SV2] after a refusal only the correction leaves, and nothing after it', async () => {
    await app.crm.faults.add({
      id: 'refused',
      kind: 'status',
      status: 400,
      body: { errors: ['内容が正しくありません。'] },
      method: 'POST',
      path: row.path,
      count: 1,
    })
    const { device, request } = await madeAndEdited(row)
    device.network.next(true)
    await until(async () => (await statesOf(device))[0] === 'failed')
    await row.save(device, request, '最後')
    await app.sent(device)
    expect(app.writes(row.path).map(({ method, status }) => [method, status])).toEqual([
      ['POST', 400],
      ['POST', 201],
    ])
    expect(row.words(await app.crm.inspect())).toEqual(['最後'])
  })

  test('[OR2][EX2] after 期限切れ, too, and 再送 of what it replaced changes nothing', async () => {
    const { device, request } = await madeAndEdited(row)
    const replaced = nth(await device.queue(), 1)
    app.phone.now += DAY + 1
    await app.phone.signIn()
    device.network.next(true)
    await until(async () => (await statesOf(device))[0] === 'expired')
    await wish(device.db, replaced, 'resend')
    await row.save(device, request, '最後')
    await app.sent(device)
    await wish(device.db, replaced, 'resend')
    await until(async () => (await rowsIn(device.db)).every(({ wish: wished }) => wished === 'none'))
    await app.sent(device)
    expect(row.words(await app.crm.inspect())).toEqual(['最後'])
    expect(app.writes(row.path).map(({ method }) => method)).toEqual(['POST'])
  })
})
