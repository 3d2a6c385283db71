/** Every record resource: saved offline, sent once, in order, refused with its reason. */
import { beforeEach, describe, expect, test } from 'vitest'
import { CREATING_KINDS } from '#schemas/changes/change-queue.ts'
import { until, type Device } from '../../support/device.ts'
import { isOpen, recordCases } from '../../support/record-saves.ts'
import { ledgerOf, nth, statesOf, todayScene } from '../../support/replication.ts'
import { patchRow, viewsIn } from '../../support/stored-views.ts'

const app = todayScene()

/** The waits between calls are this many times shorter than in the app. */
const HASTE = 10
beforeEach(() => void (app.phone.haste = HASTE))

async function openRequest(device: Device) {
  return nth((await app.freeRequests(device)).filter(isOpen), 0)
}

test('[OR1] saves of all collections travel in the order they were made, across collections', async () => {
  const device = await app.open()
  const request = await openRequest(device)
  device.network.next(false)
  const order = [3, 0, 4, 1, 2].map((index) => nth(recordCases, index))
  for (const { save } of order) await save(device, request)
  expect(await statesOf(device)).toEqual(['waiting', 'waiting', 'waiting', 'waiting', 'waiting'])
  device.network.next(true)
  await app.sent(device)
  expect(app.sentBodies.map(({ call }) => call)).toEqual(order.map(({ path }) => `POST ${path}`))
})

describe.each(recordCases)('$collection', ({ collection, path, save, made }) => {
  const records = async (device: Device) => await viewsIn(device.db, collection, {})

  test('[SV1][SV2] saved without signal, kept over a restart, then once in the CRM', async () => {
    const device = await app.open()
    const request = await openRequest(device)
    device.network.next(false)
    await save(device, request)
    await app.close(device)
    const again = await app.open({ online: false })
    expect(await statesOf(again)).toEqual(['waiting'])
    again.network.next(true)
    await app.sent(again)
    const rows = made(await app.crm.inspect())
    expect(rows).toHaveLength(1)
    // a later read adds the CRM's own fields to the same record (PL3)
    await until(async () =>
      (await records(again)).some((r) => r.serverId === rows[0]?.id && r.server?.detailed),
    )
    expect((await records(again)).filter(({ serverId }) => serverId === rows[0]?.id)).toHaveLength(1)
  })

  test('[OC3][OC6] the CRM did it and the answer was lost: read back, one record', async () => {
    const device = await app.open()
    const request = await openRequest(device)
    await app.crm.faults.add({ id: 'lost', kind: 'lostAnswer', path: `${path}$`, method: 'POST', count: 1 })
    await save(device, request)
    await app.sent(device)
    const rows = made(await app.crm.inspect())
    expect(rows).toHaveLength(1)
    expect(app.writes(path)).toHaveLength(1)
    // the pull writes the document after the acceptance
    const found = async () => (await records(device)).filter(({ serverId }) => serverId === rows[0]?.id)
    await until(async () => (await found()).length > 0)
    expect(await found()).toHaveLength(1)
  })

  test('[OC3] the call was lost before the CRM did it: read back, then posted again', async () => {
    const device = await app.open()
    const request = await openRequest(device)
    await app.crm.faults.add({ id: 'cut', kind: 'unreachable', path: `${path}$`, method: 'POST', count: 1 })
    await save(device, request)
    await app.sent(device)
    expect(made(await app.crm.inspect())).toHaveLength(1)
    expect(app.writes(path)).toHaveLength(2)
  })

  test('[OC2] refused: 失敗 with the reason of the CRM; 破棄 leaves nothing', async () => {
    const device = await app.open()
    const request = await openRequest(device)
    const fault = { id: 'no', kind: 'status', status: 202, body: { message: 'ec00030' } } as const
    await app.crm.faults.add({ ...fault, path: `${path}$`, method: 'POST', count: 1 })
    await save(device, request)
    await until(async () => (await statesOf(device))[0] === 'failed')
    const [entry] = (await ledgerOf(device)).filter(({ kind }) => CREATING_KINDS.includes(kind))
    expect(entry).toMatchObject({ state: 'refused', status: 202, reasons: ['ec00030'] })
    await patchRow(device.db, entry?.id ?? '', { wish: 'discard' })
    await app.sent(device)
    expect(made(await app.crm.inspect())).toHaveLength(0)
    await until(async () => (await records(device)).every(({ serverId }) => serverId !== ''))
  })
})
