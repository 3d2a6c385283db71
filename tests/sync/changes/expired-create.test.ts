import { beforeEach, describe, expect, test } from 'vitest'
import type { EmergencyReportRecord } from '#schemas/resources/emergency-report.ts'
import { blankFacts } from '#schemas/changes/change-queue.ts'
import type { NoteRecord } from '#schemas/resources/note-location-area.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { saveEmergencyReport } from '#features/emergency-report/commands.ts'
import { saveNote } from '#features/note-location-area/commands.ts'
import { until, type Device } from '../../support/device.ts'
import { EMERGENCY, isOpen, recordCases, type RecordCase } from '../../support/record-saves.ts'
import { nth, todayScene, statesOf } from '../../support/replication.ts'
import { storeFacts, viewsIn } from '../../support/stored-views.ts'

const app = todayScene()
const DAY = 86_400_000

/** The waits between calls are this many times shorter than in the app. */
const HASTE = 10
beforeEach(() => void (app.phone.haste = HASTE))

/** 内容を開く and 保存: of what there may be several, the form saves the record that it opened. */
async function saveAnew({ collection, save }: RecordCase, device: Device, request: RequestRecord) {
  const [doc] = await viewsIn(device.db, collection, { unsent: 'yes' })
  const record: unknown = doc
  switch (collection) {
    case 'emergencyReports':
      return saveEmergencyReport(device.saver(), request, EMERGENCY, record as EmergencyReportRecord)
    case 'noteLocationAreas':
      return saveNote(device.saver(), request, { note: '台車は搬入口Bから。' }, record as NoteRecord)
    default:
      return save(device, request)
  }
}

describe.each(recordCases)('[EX2] $collection that expired unsent', (row) => {
  test('saved anew it goes, and there is one of it', async () => {
    const device = await app.open()
    const request = nth((await app.freeRequests(device)).filter(isOpen), 0)
    device.network.next(false)
    await row.save(device, request)
    app.phone.now += DAY + 1
    await app.phone.signIn()
    device.network.next(true)
    await until(async () => (await statesOf(device))[0] === 'expired')
    const before = row.made(await app.crm.inspect()).length
    await saveAnew(row, device, request)
    await app.sent(device)
    expect(row.made(await app.crm.inspect())).toHaveLength(before + 1)
  })

  test('after a 5xx, too: it was read back before it was called expired', async () => {
    const device = await app.open()
    const request = nth((await app.freeRequests(device)).filter(isOpen), 0)
    device.network.next(false)
    await row.save(device, request)
    const [item] = await device.queue()
    if (!item) throw new Error('nothing was saved')
    const failed = { state: 'unknown', status: 500, serverErrors: 1, payload: '{}' } as const
    await storeFacts(device.db, { ...blankFacts(item), ...failed })
    app.phone.now += DAY + 1
    await app.phone.signIn()
    device.network.next(true)
    await until(async () => (await statesOf(device))[0] === 'expired')
    expect(app.writes(row.path)).toEqual([])
    const before = row.made(await app.crm.inspect()).length
    await saveAnew(row, device, request)
    await app.sent(device)
    expect(row.made(await app.crm.inspect())).toHaveLength(before + 1)
    expect(app.writes(row.path).map(({ method }) => method)).toEqual(['POST'])
  })
})
