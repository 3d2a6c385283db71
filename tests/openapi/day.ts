/** What is asked: every call of the contract at least once, and the refusals that it names. */
import { TODAY, type Json } from '../demo-crm/harness.ts'
import type { Talk } from './conversation.ts'
import { refusals } from './refusals.ts'

const USER = 'ss-2006'
const SUPPLIER = 'sp-01'
const at = (time: string) => `${TODAY}T${time}:00+09:00`
const today = { workingDateFrom: TODAY, workingDateTo: TODAY }
const who = { loginUserId: USER }

async function signIn({ ask }: Talk): Promise<string> {
  await ask('check')
  const form = (password: string) => new URLSearchParams({ userName: 'demo6', password })
  await ask('login', { title: 'パスワードの間違い', body: form('wrong') })
  const { userInfo, refreshToken } = await ask('login', { body: form('password') })
  await ask('refreshToken', { body: { refreshToken } })
  await ask('fileToken', { body: { userInfo } })
  return refreshToken
}

async function reading({ ask, exchanges }: Talk) {
  const rows: Json[] = await ask('searchRequests', { query: { ...today, limit: '50', offset: '1' } })
  await ask('searchRequests', {
    title: '正しくない日付',
    query: { workingDateFrom: '2026/11/20', workingDateTo: TODAY },
  })
  const { requestCode, ttsOrder } = rows.find((row) => row.ttsOrder.emergencyFlag === '1')
  await ask('searchRequests', {
    title: '条件つき',
    query: {
      ...today,
      supplierStaffId: USER,
      requestCode: requestCode.slice(0, 4),
      locationName: ttsOrder.locationArea.name.slice(0, 2),
      customerName: ttsOrder.customer.name.slice(0, 2),
      orderFlag: `${ttsOrder.orderFlag},7`,
      emergencyFlag: '1',
    },
  })
  const params = { id: rows[0].id }
  await ask('readRequest', {
    title: '入館・退館の済んだ日',
    params,
    query: { workingDate: TODAY, supplierStaffId: USER },
  })
  const etag = exchanges.at(-1)?.answer.headers.get('etag') ?? ''
  const unchanged = { 'if-none-match': etag }
  await ask('readRequest', {
    title: '変わっていない',
    params,
    query: { workingDate: TODAY },
    headers: unchanged,
  })
  await ask('readRequest', { title: 'ない依頼', params: { id: 'none' } })
  for (const row of rows)
    await ask('readRequest', { params: { id: row.id }, query: { workingDate: TODAY, supplierStaffId: USER } })
  await pastReports({ ask, exchanges })
  await ask('listSupplierStaff', { params: { supplierId: SUPPLIER }, query: who })
  return rows
}

/** Of every device that was read of: some have none. */
async function pastReports({ ask, exchanges }: Pick<Talk, 'ask' | 'exchanges'>) {
  const devices: Json[] = exchanges.flatMap(({ answer }) => answer.json?.device ?? [])
  for (const { deviceId } of devices)
    await ask('listPastReports', { params: { deviceId }, query: { ...who, limit: '20', offset: '1' } })
}

async function quickReports({ ask, crm }: Talk, rows: Json[]) {
  const free = rows.filter((row) => !row.quickReport)
  const [first, second] = free
  const entry = {
    requestId: first.id,
    workingDate: TODAY,
    workingDateType: first.workingDateType,
    inTime: at('09:00'),
    ...who,
  }
  const { id } = await ask('enterQuickReport', { body: entry })
  await ask('enterQuickReport', { title: 'もう入館している', body: entry })
  await ask('enterQuickReport', { title: '足りない項目', body: { requestId: first.id } })
  const other = await ask('enterQuickReport', { body: { ...entry, requestId: second.id } })
  const content = { type: '1', reason1: null, reason2: null, reportContent: '異常なし。試運転確認済。' }
  const exit = { outTime: at('11:30'), ...content, ...who }
  await ask('exitQuickReports', { body: { ...exit, quickReports: [{ id }, { id: other.id }] } })
  await ask('exitQuickReports', { title: '報告がない', body: { ...exit, quickReports: [] } })
  await ask('readQuickReport', { params: { id }, query: {} })
  const edit = { ...exit, type: '2', reason1: '6', reportContent: '予定どおり進行。残りは翌日に作業します。' }
  await ask('editQuickReport', { params: { id }, body: edit })
  await ask('editQuickReport', {
    title: '他の更新があった',
    params: { id },
    body: edit,
    headers: { 'if-match': '"before"' },
  })
  await ask('readQuickReport', { title: '作業未完了', params: { id } })
  await gatewayFaults({ ask, crm }, id)
}

/** What the CRM or what is before it answers to anything. */
async function gatewayFaults({ ask, crm }: Pick<Talk, 'ask' | 'crm'>, id: string) {
  const faults = [
    { status: 429, title: '多すぎる呼び出し', headers: { 'Retry-After': '5' } },
    { status: 498, title: '無効なトークン' },
    { status: 503, title: '停止中', headers: { 'Retry-After': '60' } },
    { status: 500, title: '結果が分からない' },
  ]
  for (const { title, ...fault } of faults) {
    await crm.faults.add({ id: 'one', kind: 'status', path: 'quickReport', count: 1, ...fault })
    await ask('readQuickReport', { title, params: { id } })
  }
  await ask('readQuickReport', {
    title: '無効なトークン',
    params: { id },
    headers: { authorization: 'Bearer x' },
  })
}

async function records({ ask }: Talk, rows: Json[]) {
  const { id: requestId, workingStartTime, workingEndTime } = rows[2]
  const day = { requestId, workingDate: TODAY }
  const times = { workingStartTime, workingEndTime }
  const emergency = {
    ...day,
    ...times,
    emergencyContents: '2,3',
    risk: '3,8',
    correspondenceDate: '1',
    ttsStaffContact: '2',
    emergencyContentsDetails: '到着時に満水警報が鳴動。仮設ポンプを手配しました。',
    ...who,
  }
  const report = await ask('createEmergencyReport', { body: emergency })
  await ask('editEmergencyReport', {
    params: { id: report.id },
    body: { ...emergency, ttsStaffContact: '1' },
  })
  await ask('readEmergencyReport', { params: { id: report.id }, query: who })
  await ask('listEmergencyReports', { params: { id: requestId }, query: who })
  const safety = { ...day, ...times, needFlag: '1', safetyType: '3', ...who }
  const measure = await ask('createSafetyMeasure', { body: safety })
  await ask('createSafetyMeasure', { title: 'もうある', body: safety })
  await ask('readSafetyMeasure', { params: { id: measure.id }, query: who })
  const note = await ask('createNoteLocationArea', {
    body: { requestId, note: '駐車場は二段目です。', ...who },
  })
  await ask('editNoteLocationArea', {
    params: { id: note.id },
    body: { note: '駐車場は三段目です。', ...who },
  })
  await ask('readNoteLocationArea', { params: { id: note.id }, query: who })
  await ask('listNoteLocationAreas', {
    params: { id: requestId },
    query: { type: '1', ...who, limit: '50', offset: '1' },
  })
  return report
}

async function changeRequests({ ask }: Talk, rows: Json[]) {
  const free = rows.find((row) => row.customerLocationChangeStatus === '1')
  const parking = {
    parkingType: '1',
    parkingMethod: '地下二階の来客用',
    inMethod: '防災センターで受付',
    ...who,
  }
  const body = { requestId: free.id, ...parking }
  const { id } = await ask('createCustomerLocationChangeRequest', { body })
  await ask('createCustomerLocationChangeRequest', { title: 'もうある', body })
  const changed = { ...body, parkingType: null, parkingMethod: null }
  await ask('editCustomerLocationChangeRequest', { params: { id }, body: changed })
  await ask('readCustomerLocationChangeRequest', { params: { id }, query: who })
  const place = rows.find((row) => row.inLocationContactChangeStatus === '1')
  const contact = {
    requestId: place.id,
    type: '02',
    name: '防災センター',
    kana: 'ﾎﾞｳｻｲｾﾝﾀｰ',
    section: null,
    class: null,
    staffName: '田中',
    means: '電話',
    email: null,
    tel1: '03-0000-0000',
    ...who,
  }
  const made = await ask('createLocationContactChangeRequest', { body: contact })
  await ask('createLocationContactChangeRequest', { title: 'もうある', body: contact })
  const edited = { ...contact, staffName: '鈴木' }
  await ask('editLocationContactChangeRequest', { params: { id: made.id }, body: edited })
  await ask('readLocationContactChangeRequest', { params: { id: made.id }, query: who })
}

async function photos({ ask }: Talk, report: Json) {
  const parentId = report.emergencyReportFolderId
  const { node } = await ask('createFolder', { params: { parentId }, body: { name: report.name } })
  await ask('listFolders', { params: { id: parentId } })
  const params = { folderId: node.id }
  const form = new FormData()
  form.append('Filedata', new File(['photo'], '受水槽_01.jpg', { type: 'image/jpeg' }))
  const { file_seq, name } = await ask('uploadFile', { params, body: form })
  await ask('listFiles', { params })
  await ask('searchFiles', { params, body: { keyword: '受水槽', limit: 1000 } })
  await ask('downloadFile', { params, body: { file_seq, name, flag_direct: 'N' } })
  await ask('downloadFile', { title: 'バイト', params, body: { file_seq, name, flag_direct: 'Y' } })
  await ask('createViewer', { body: { file_seq } })
  await ask('renameFile', { params, body: { file_seq, name: '受水槽_02.jpg' } })
  await ask('deleteFile', { params, body: { file_seq } })
  await ask('deleteFile', { title: 'ファイルがない', params, body: { file_seq } })
  await ask('listFiles', { title: '無効なトークン', params, headers: { access_token: 'x' } })
  await ask('readEmergencyReport', { title: '写真のフォルダーがある', params: { id: report.id } })
}

/** Leads it; the talk holds what was said. */
export async function aDay(talk: Talk): Promise<void> {
  const refreshToken = await signIn(talk)
  const rows = await reading(talk)
  await quickReports(talk, rows)
  const report = await records(talk, rows)
  await changeRequests(talk, rows)
  await photos(talk, report)
  await refusals(talk)
  await talk.ask('refreshToken', { title: '使い終わったトークン', body: { refreshToken } })
}
