/** 元に戻す of a save with photos while the CRM answers again: nothing is lost, and nothing arrives twice. */
import { describe, expect, test } from 'vitest'
import { addDraftPhoto, draftOf } from '#data/drafts/drafts.ts'
import { saveEmergencyReport } from '#features/emergency-report/commands.ts'
import { saveNote } from '#features/note-location-area/commands.ts'
import { toTokyoIso } from '#lib/time/tokyo-time.ts'
import { until, type Device } from '../../support/device.ts'
import { filesOf, jpeg, sha256 } from '../../support/photos.ts'
import { EMERGENCY } from '../../support/record-saves.ts'
import { nth, todayScene } from '../../support/replication.ts'
import { FORM, told } from '../../support/told-saves.ts'

const app = todayScene()

const LIMIT_MS = 60_000
const BACK = '保存を元に戻しました。'
const LEFT = 'すでに送信が始まっていたため、元に戻せません。'
const DETAILS = { emergencyContentsDetails: '汚水' }

async function takePhotos(device: Device, count: number) {
  const shots = Array.from({ length: count }, (_, at) => jpeg(at + 1, 4_000 + at))
  for (const [at, bytes] of shots.entries()) {
    const photo = {
      key: `shot${at}`,
      name: `IMG_${at}.jpg`,
      placeInfo: '',
      takenAt: toTokyoIso(app.phone.now),
    }
    const known = { ...photo, size: bytes.byteLength, type: 'image/jpeg' as const }
    await addDraftPhoto(device, FORM, known, { bytes, thumb: undefined })
  }
  return shots.map((bytes) => sha256(bytes)).toSorted()
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const reports = async () =>
  (await app.crm.inspect()).emergencyReports.filter(({ origin }) => origin === 'call')
const hashes = async () => (await filesOf(app)).map((file) => file.sha256).toSorted()

const CASES = [
  ...[-120, -20, 0, 20, 120].map((ms) => [2, ms] as const),
  ...[-60, 5].map((ms) => [3, ms] as const),
]

describe('[SV1][SV2] 元に戻す of a save with photos, and the CRM answers again', () => {
  test.each(CASES)(
    '%i photos, pressed %i ms after it: undone is said only where nothing has left, and saved once more all of it arrives once',
    async (count, ms) => {
      const device = await app.open()
      const [request, other] = (await app.freeRequests(device)).slice(0, 2)
      if (!request || !other) throw new Error('two requests')
      await app.crm.faults.add({ id: 'down', kind: 'status', status: 503, path: 'rest/', count: 'always' })
      await saveNote(device.saver(), other, { note: '先に待つもの' })
      await until(async () => nth(await device.queue(), 0).progress?.status === 503)
      const { save, back, flash } = told(device, true)
      const taken = await takePhotos(device, count)
      const target = { resource: 'emergencyReports', requestId: request.id, workingDate: request.workingDate }
      const saveReport = (recordKey: string) =>
        save(
          async (saving) => saveEmergencyReport(saving.saver(), request, EMERGENCY, null, recordKey),
          DETAILS,
          { ...target, recordKey },
        )
      await saveReport('e1')
      const answers = async () => {
        await wait(Math.max(0, -ms))
        await app.crm.faults.clear()
        device.network.next(false)
        device.network.next(true)
      }
      await Promise.all([answers(), wait(Math.max(0, ms)).then(back)])
      const saying = (said: string) => flash.get().some(({ text }) => text.startsWith(said))
      await until(() => saying(BACK) || saying(LEFT), LIMIT_MS)
      expect(saying('もう一度送信しています')).toBe(false)
      const isBack = saying(BACK)
      const draft = await draftOf(device.db, FORM)
      if (isBack) {
        expect(await reports()).toEqual([])
        expect(await filesOf(app)).toEqual([])
        expect(draft?.values).toBe(JSON.stringify(DETAILS))
        const inDraft = await Promise.all((draft?.photos ?? []).map(({ key }) => device.bytes.get(key)))
        expect(inDraft.map((bytes) => sha256(bytes)).toSorted()).toEqual(taken)
        await saveReport('e2')
      } else expect(draft).toBeNull()
      await until(
        async () => (await device.queue()).length === 0 && (await hashes()).length >= count,
        LIMIT_MS,
      )
      expect(await reports()).toHaveLength(1)
      expect(await hashes()).toEqual(taken)
      // the file store has the photo before the device knows
      await until(
        async () => (await device.db.photos.find({ selector: { unsent: 'yes' } }).exec()).length === 0,
      )
    },
    2 * LIMIT_MS,
  )
})
