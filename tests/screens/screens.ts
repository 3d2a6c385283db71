/**
 * What `npm run pictures` takes: one line for each screen and popup. The demo's ids change with the day, so an address that
 * holds one is looked for among today's requests.
 */
export interface Shot {
  /** The picture's file name. */
  name: string
  /** Its h1, or the heading of the popup. */
  heading: string
  at: string | ((demo: Demo) => string | undefined)
  /** Buttons, links, radios and checkboxes that are pressed one after the other, by name. */
  press?: readonly (string | RegExp | ((demo: Demo) => string))[]
  offline?: true
  /** Before the login. */
  guest?: true
}

/** Today's requests, as they were found in the demo. */
export interface Demo {
  /** The first request with a button of this name. */
  requestWith(button: RegExp): string | undefined
  /** The first link of a request. */
  link(path: RegExp): string | undefined
  /** The first request that nobody has entered, its code and its day. */
  id: string
  code: string
  day: string
}

const free = (demo: Demo) => demo.requestWith(/^入館登録$/)
/** 入館登録 with its three questions: from here on the first free request is one that somebody is inside. */
const ENTER = ['入館登録', '登録', 'はい', 'はい', 'はい']
const withPit = (demo: Demo) => demo.requestWith(/^地下ピット/)
const to =
  (path: RegExp, then = '') =>
  (demo: Demo) => {
    const found = demo.link(path)
    return found && `${found}${then}`
  }
const PARKING = /^\/customerLocationChangeRequest\/(?!add)[^/]+$/
const ENTRY_CONTACT = /^\/locationContactChangeRequest\/(?!add)[^/]+\/type1$/
const EXIT_CONTACT = /^\/locationContactChangeRequest\/(?!add)[^/]+\/type2$/
const LEFT_REPORT = /^\/quickReport\/(?!add)[^/]+$/
const NOTES = /^\/noteLocationArea\/(?!add)/

const addNote = ({ id }: Demo) => `/noteLocationArea/add/${id}`

export const shots: readonly Shot[] = [
  { name: 'login', heading: 'ログイン', at: '/login', guest: true },
  { name: 'not-found', heading: '404 Not Found', at: '/not-found' },
  { name: 'forbidden', heading: '403 Forbidden', at: '/forbidden' },
  { name: 'internal-server-error', heading: '500 Internal Server Error', at: '/internal-server-error' },
  { name: 'error-logs', heading: 'エラーレポート', at: '/error-logs' },

  { name: 'request', heading: '依頼検索', at: '/request' },
  { name: 'request-filter', heading: '検索条件', at: '/request', press: [/変更/] },
  { name: 'request-select', heading: '依頼検索', at: '/request?select=true' },
  { name: 'request-offline', heading: '依頼検索', at: '/request', offline: true },
  { name: 'request-view', heading: '依頼詳細', at: free },
  { name: 'request-view-inside', heading: '依頼詳細', at: (demo) => demo.requestWith(/^退館報告$/) },
  { name: 'request-view-offline', heading: '依頼詳細', at: free, offline: true },
  { name: 'popup-entry', heading: '入館登録', at: free, press: ['入館登録'] },
  {
    name: 'popup-entry-confirm',
    heading: '入館・駐車場情報と入退館連絡先を確認しましたか？',
    at: free,
    press: ['入館登録', '登録'],
  },
  { name: 'popup-in-contact', heading: '入館連絡先', at: free, press: [/^入館連絡先/] },
  { name: 'popup-under-pit', heading: '地下ピット', at: withPit, press: [/^地下ピット/] },
  { name: 'popup-safety-list', heading: '安全対策一覧', at: withPit, press: ['安全対策一覧'] },
  {
    name: 'popup-bulk-entry',
    heading: '入館一括登録',
    at: '/request?select=true',
    press: [({ code }) => `選択 ${code}`, '入館一括登録'],
  },

  { name: 'quick-report-add', heading: '退館報告登録', at: free, press: [...ENTER, '退館報告'] },
  {
    name: 'quick-report-add-error',
    heading: '退館報告登録',
    at: free,
    press: ['退館報告', '作業未完了', '保存'],
  },
  {
    name: 'popup-request',
    heading: '依頼詳細',
    at: free,
    press: ['退館報告', '依頼詳細を見る'],
  },
  {
    name: 'popup-emergency-list',
    heading: '緊急報告一覧',
    at: free,
    press: ['退館報告', '緊急報告一覧'],
  },
  { name: 'quick-report', heading: '退館報告詳細', at: to(LEFT_REPORT) },
  { name: 'quick-report-edit', heading: '退館報告編集', at: to(LEFT_REPORT, '/edit') },

  {
    name: 'customer-location-add',
    heading: '入館・駐車場情報変更依頼登録',
    at: to(/^\/customerLocationChangeRequest\/add\//),
  },
  { name: 'customer-location', heading: '入館・駐車場情報変更依頼詳細', at: to(PARKING) },
  {
    name: 'customer-location-edit',
    heading: '入館・駐車場情報変更依頼編集',
    at: to(PARKING, '/edit'),
  },
  {
    name: 'contact-entry-add',
    heading: '入館連絡先変更依頼登録',
    at: to(/^\/locationContactChangeRequest\/add\/.*type1$/),
  },
  { name: 'contact-entry', heading: '入館連絡先変更依頼詳細', at: to(ENTRY_CONTACT) },
  {
    name: 'contact-exit-add',
    heading: '退館連絡先変更依頼登録',
    at: to(/^\/locationContactChangeRequest\/add\/.*type2$/),
  },
  { name: 'contact-exit', heading: '退館連絡先変更依頼詳細', at: to(EXIT_CONTACT) },

  { name: 'notes', heading: '現場メモ一覧', at: to(NOTES) },
  { name: 'notes-offline', heading: '現場メモ一覧', at: to(NOTES), offline: true },
  { name: 'note-add', heading: '現場メモ登録', at: addNote },
  { name: 'note-add-error', heading: '現場メモ登録', at: addNote, press: ['保存'] },
  { name: 'note-edit', heading: '現場メモ編集', at: to(NOTES), press: ['編集'] },

  { name: 'emergency-reports', heading: '緊急報告一覧', at: to(/^\/emergencyReport\/(?!add)/) },
  {
    name: 'emergency-report-add',
    heading: '緊急報告登録',
    at: ({ id }) => `/emergencyReport/add/${id}`,
  },

  { name: 'safety-select', heading: '安全対策選択', at: to(/^\/safetyMeasure\/select\//) },
  {
    name: 'safety-add',
    heading: '安全対策登録',
    at: ({ id, day }) => `/safetyMeasure/add?requestId=${id}&safetyType=1&workingDate=${day}`,
  },

  { name: 'past-reports', heading: '過去報告', at: to(/^\/report\//) },
  { name: 'past-reports-offline', heading: '過去報告', at: to(/^\/report\//), offline: true },
  { name: 'popup-emergency', heading: '緊急報告詳細', at: to(/^\/report\//), press: [/^緊急報告/] },

  { name: 'outbox', heading: '送信状況', at: '/outbox' },
  { name: 'settings', heading: '設定', at: '/settings' },
]
