/** What people do on screens, by the shipped commands: see `PageActs`. */
import { emergencyReport } from '#schemas/resources/emergency-report.ts'
import { inputOf } from '#schemas/declare/form-values.ts'
import type { Database } from '#data/database/database.ts'
import type { Saver } from '#data/changes/changes.ts'
import { storeValues } from '#data/drafts/drafts.ts'
import { askDetail, askList, askRecord, askRefresh, askSearch } from '#data/fetch-requests/interests.ts'
import { savePhotos, requestPhotoBytes, requestPhotos } from '#data/photos/photos.ts'
import { viewOf } from '#data/changes/record-views.ts'
import { saveEntry } from '#data/resources/quick-report-changes.ts'
import { saveCustomerLocation } from '#features/customer-location-change-request/commands.ts'
import { saveEmergencyReport } from '#features/emergency-report/commands.ts'
import { saveContactChange } from '#features/location-contact-change-request/commands.ts'
import { saveNote } from '#features/note-location-area/commands.ts'
import { saveReport } from '#features/quick-report/commands.ts'
import { saveSafetyMeasure } from '#features/safety-measure/commands.ts'
import { photoName } from '#schemas/resources/photo-name.ts'
import type { PhotoBytes } from '#sync/photos/photo-store.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { PageActs, PagePort } from './page-port.ts'

/** A search by days only. */
const NO_CONDITIONS = {
  requestCode: '',
  locationName: '',
  customerName: '',
  orderFlags: [],
  emergencyOnly: false,
}

const isoInTokyo = (ms: number) => `${new Date(ms + 9 * 3_600_000).toISOString().slice(0, 19)}+09:00`

export function pageActs(port: PagePort, db: Database, saver: () => Saver, bytes: PhotoBytes): PageActs {
  const request = async (key: string) => (await db.requests.findOne(key).exec())?.toMutableJSON() ?? null
  const on = async (key: string, save: (request: RequestRecord) => Promise<unknown>) => {
    const found = await request(key)
    if (found) await save(found)
    return found !== null
  }
  return {
    askRefresh: () => askRefresh(db, port.now()),
    askDetail: (id, day) => askDetail(db, port.now(), id, day),
    askSearch: (from, to) => askSearch(db, port.now(), { from, to, ...NO_CONDITIONS }),
    askList: (collection, owner, requestId) => askList(db, port.now(), { collection, owner, requestId }),
    askRecord: (collection, id) => askRecord(db, port.now(), collection, id),
    askPhotos: (resource, recordKey, requestId) =>
      requestPhotos(db, port.now(), { resource, recordKey, requestId }),
    askPhotoBytes: (key) => requestPhotoBytes(db, key),
    async enter(key) {
      if (await viewOf(db, 'quickReports', key)) return false
      return on(key, (found) => saveEntry(saver(), [found], isoInTokyo(port.now())))
    },
    async leave(key, reportContent) {
      const report = await viewOf(db, 'quickReports', key)
      if (!report) return false
      const isOut =
        Boolean(report.server?.outTime) ||
        report.changes.some(({ kind }) => kind === 'exit' || kind === 'edit')
      // each time another one: of an edit the summary tells nothing else
      const outTime = isoInTokyo(port.now())
      const content = { outTime, type: '1', reason1: null, reason2: null, reportContent }
      await saveReport(saver(), [report], isOut ? 'edit' : 'exit', content)
      return true
    },
    note: (key, note) => on(key, (found) => saveNote(saver(), found, { note })),
    photo: (key, text, size) =>
      on(key, async (found) => {
        const [photo, note] = [crypto.randomUUID(), crypto.randomUUID()]
        await bytes.put(photo, pngOf(size))
        await saveNote(saver(), found, { note: text }, null, note)
        const of = { resource: 'noteLocationAreas', recordKey: note, requestId: found.id, workingDate: '' }
        const takenAt = isoInTokyo(port.now())
        const name = photoName(`${text}.png`, takenAt.replace(/\D/g, '').slice(0, 17), 'image/png')
        await savePhotos(saver(), [
          { key: photo, ...of, name, size, type: 'image/png', placeInfo: '', takenAt },
        ])
      }),
    emergency: (key, text) =>
      on(key, (found) =>
        saveEmergencyReport(saver(), found, {
          ...inputOf(emergencyReport),
          emergencyContents: ['1'],
          risk: ['2'],
          correspondenceDate: '1',
          ttsStaffContact: '2',
          emergencyContentsDetails: text,
        }),
      ),
    safety: (key) => on(key, (found) => saveSafetyMeasure(saver(), found, '3', '2')),
    parking: (key, inMethod) =>
      on(key, async (found) => {
        const there = await viewOf(db, 'customerLocationChangeRequests', found.id)
        await saveCustomerLocation(
          saver(),
          found.id,
          { parkingType: '2', parkingMethod: '', inMethod },
          there,
        )
      }),
    contact: (key, name) =>
      on(key, async (found) => {
        const there = await viewOf(db, 'locationContactChangeRequests', `${found.id}_02`)
        await saveContactChange(saver(), found.id, '02', { ...CONTACT, name }, there)
      }),
    async draft(requestId) {
      await storeValues(db, `quickReport/exit/${requestId}`, { reportContent: '途中' })
      return true
    },
  }
}

/** As far as anyone looks at it. */
function pngOf(size: number): ArrayBuffer {
  const bytes = new Uint8Array(size)
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return bytes.buffer
}

const CONTACT = {
  kana: 'ﾎﾞｳｻｲｾﾝﾀｰ',
  section: '',
  class: '',
  staffName: '',
  means: '',
  email: '',
  tel1: '03-5550-0199',
}
