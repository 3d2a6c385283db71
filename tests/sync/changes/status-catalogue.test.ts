/**
 * Every status of the error catalogue (spec 8, crm-contract 3), from the CRM's answer to a save to what a person reads:
 * where the change stands in 送信状況 and in which words, and whether the session is asked for anew.
 */
import { describe, expect, test } from 'vitest'
import { successTexts } from '#schemas/api-error.ts'
import { jobReason } from '#features/outbox/jobs.ts'
import { saveCustomerLocation } from '#features/customer-location-change-request/commands.ts'
import { until, type Device } from '../../support/device.ts'
import { i18n } from '../../support/i18n.ts'
import { isOpen, PARKING } from '../../support/record-saves.ts'
import { nth, todayScene } from '../../support/replication.ts'
import { rowsIn, viewsIn } from '../../support/stored-views.ts'

const app = todayScene()
const PATH = 'customerLocationChangeRequest/$'

async function saveMeeting(
  answer: { status: number; body?: unknown } | 'no answer',
  count: number | 'always',
) {
  const device = await app.open()
  const request = nth((await app.freeRequests(device)).filter(isOpen), 0)
  const fault =
    answer === 'no answer' ? ({ kind: 'unreachable' } as const) : ({ kind: 'status', ...answer } as const)
  await app.crm.faults.add({ id: 'answer', path: PATH, method: 'POST', count, ...fault })
  await saveCustomerLocation(device.saver(), request.id, PARKING, null)
  return device
}

const made = async () =>
  (await app.crm.inspect()).customerLocationChangeRequests.filter(({ origin }) => origin === 'call')

const only = async (device: Device) => nth(await device.queue(), 0)

describe('[spec 8] 200: what the CRM says of a save that it took stays in its row', () => {
  test.each<[body: unknown, said: string[]]>([
    ['承りました。', ['承りました。']],
    [{ id: 'x', message: '担当者に知らせました。' }, ['担当者に知らせました。']],
    [{ id: 'x', message: 7 }, []],
    [{ id: 'x' }, []],
    ['', []],
  ])('%j', (body, said) => expect(successTexts(body)).toEqual(said))

  test('of a POST, with the id of what was made', async () => {
    const device = await saveMeeting({ status: 200, body: { id: 'x1', message: '承りました。' } }, 1)
    await until(async () => (await device.queue()).length === 0)
    const rows = await rowsIn(device.db)
    expect(rows.map(({ state, reasons }) => [state, reasons])).toEqual([['accepted', ['承りました。']]])
  })
})

describe('[spec 8] refused: it stays in 送信状況 with its reason in words', () => {
  const REGISTERED = 'すでに登録されているか、未反映の変更依頼があるため、登録できません。'
  const SYSTEM = 'システムエラーが発生しました。'
  test.each<[status: number, body: unknown, words: string]>([
    [202, { message: 'ec00030' }, REGISTERED],
    [202, { message: '担当者が確認中です。' }, '担当者が確認中です。'],
    [
      400,
      { errors: ['ec00008', '入館方法が長すぎます。'] },
      'この内容は編集できません。\n入館方法が長すぎます。',
    ],
    [400, { errors: 'ec00030' }, REGISTERED],
    [400, { error: 'ec99999' }, 'CRMが受け付けませんでした（コード ec99999）。'],
    [400, {}, SYSTEM],
    [422, { errors: ['ec00003'] }, '文字数の上限を超えている項目があります。'],
    [422, { error: '駐車場区分が正しくありません。' }, '駐車場区分が正しくありません。'],
    [403, {}, SYSTEM],
    [404, {}, '該当するデータがありません。'],
    [409, {}, SYSTEM],
  ])('%d %j', async (status, body, words) => {
    const device = await saveMeeting({ status, body }, 'always')
    await until(async () => (await only(device)).state === 'failed')
    // the second line says what to do (tests/features/messages)
    expect(jobReason(i18n, await only(device))?.startsWith(`${words}\n`)).toBe(true)
    expect(device.session.value?.expired).toBe(false)
    expect(await made()).toEqual([])
    expect(app.writes('/customerLocationChangeRequest/')).toHaveLength(1)
  })
})

test('[spec 8] a reason that says itself what to do is said as it is', async () => {
  const device = await saveMeeting({ status: 400, body: { error: 'ec00021' } }, 'always')
  await until(async () => (await only(device)).state === 'failed')
  const words = 'すでに処理されています。担当者にお問い合わせください。'
  expect(jobReason(i18n, await only(device))).toBe(words)
})

describe('[spec 8] the session is over: the change waits for the next login', () => {
  test.each([401, 498])('%d', async (status) => {
    const device = await saveMeeting({ status }, 'always')
    await until(() => device.session.value?.expired === true)
    await until(async () => (await only(device)).state === 'waiting')
    expect(jobReason(i18n, await only(device))).toBeUndefined()
    await app.crm.faults.clear()
    await app.phone.signIn()
    await app.sent(device)
    expect(await made()).toHaveLength(1)
  })

  test('401 once: the token is renewed, and nobody notices', async () => {
    const device = await saveMeeting({ status: 401 }, 1)
    await app.sent(device)
    expect(device.session.value?.expired).toBe(false)
    expect(await made()).toHaveLength(1)
  })
})

describe('[spec 8] in the way for a while: it is sent by itself, once', () => {
  test.each<[{ status: number; body?: unknown } | 'no answer']>([
    [{ status: 429 }],
    [{ status: 503 }],
    [{ status: 500 }],
    [{ status: 502, body: '<html>' }],
    ['no answer'],
  ])('%j', async (answer) => {
    const device = await saveMeeting(answer, 1)
    await app.sent(device)
    expect(await made()).toHaveLength(1)
    expect(device.session.value?.expired).toBe(false)
  })
})

test('[spec 8] 200: accepted as 201 is', async () => {
  const device = await saveMeeting({ status: 200, body: { id: 'cl-1' } }, 1)
  await app.sent(device)
  const [record] = await viewsIn(device.db, 'customerLocationChangeRequests', { serverId: 'cl-1' })
  expect(record?.changes).toEqual([])
})
