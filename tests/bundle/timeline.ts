/** A support file as lines: what it says of the device, what waits, and then everything that has a time, oldest first. */
import type { SupportFile } from '#schemas/device/support-file.ts'
import { bytesText } from '#lib/bytes-text.ts'
import { toTokyoIso } from '#lib/time/tokyo-time.ts'
import { plain } from './read.ts'

interface Event {
  at: string
  text: string
}

export const timelineOf = (file: SupportFile): string[] =>
  [
    ...headOf(file),
    '',
    ...queueOf(file),
    '',
    ...speedOf(file),
    '',
    ...eventsOf(file),
    ...contentsOf(file),
  ].map(
    // a text with a line of its own could pass for another event
    (line) => plain(line).replaceAll('\n', ' '),
  )

/** `11-20 08:56:00`; as it stands where it is no time. */
function timeOf(at: string): string {
  const ms = Date.parse(at)
  return Number.isNaN(ms) ? at : toTokyoIso(ms).slice(5, 19).replace('T', ' ')
}

function headOf({ made, app, session, storage, wait, leftOut }: SupportFile): string[] {
  const { used, free, persisted, documents } = storage
  const size = (bytes: number | null) => (bytes === null ? '不明' : bytesText(bytes))
  const cut = Object.entries(leftOut).map(([name, count]) => `${name} ${count}件`)
  return [
    `支援ファイル ${timeOf(made)}（東京の時刻）`,
    `アプリ ${app.version}、${app.browser}、${app.system}、${app.online ? 'オンライン' : 'オフライン'}、${app.installed ? 'ホーム画面から' : 'ブラウザーで'}`,
    `ログイン ${session.signedIn ? (session.expired ? '期限切れ' : 'あり') : 'なし'}、役割 ${session.role ?? 'なし'}`,
    `容量 使用 ${size(used)}、空き ${size(free)}、保護 ${persisted === null ? '不明' : persisted ? 'あり' : 'なし'}`,
    `文書 ${Object.entries(documents)
      .map(([name, count]) => `${name} ${count}`)
      .join('、')}`,
    ...(wait === '' ? [] : [`送信が進まない理由 ${wait}`]),
    ...(cut.length > 0 ? [`入りきらなかったもの（古い順） ${cut.join('、')}`] : []),
  ]
}

function queueOf({ queue }: SupportFile): string[] {
  const lines = queue.map((item) => {
    const reasons = [...item.reasons, ...(item.otherReasons > 0 ? [`CRMの文 ${item.otherReasons}`] : [])]
    const more = [
      item.heldBy === undefined ? '' : `${item.heldBy} を待つ`,
      item.serverErrors > 0 ? `5xx ${item.serverErrors}回` : '',
      item.wish === 'none' ? '' : `希望 ${item.wish}`,
      item.offline ? '圏外で保存' : '',
      ...reasons,
    ].filter((text) => text !== '')
    const where = `${item.change} ${item.record} ${item.collection} ${item.kind}`
    return `  ${where} ${item.state}（${item.ledger || '台帳なし'}、${item.status}）保存 ${timeOf(item.savedAt)} ${more.join('、')}`
  })
  return [`送信を待つもの ${queue.length}件`, ...lines]
}

const speedOf = ({ figures }: SupportFile): string[] => [
  '速さ（中央・75%・98%）',
  ...figures.map(
    ({ name, unit, median, p75, p98, count, lastDay, rating }) =>
      `  ${name} ${median}・${p75}・${p98} ${unit} ${rating}、${count}回（24時間で ${lastDay}回）`,
  ),
]

function eventsOf({ queue, moves, calls, measured, errors }: SupportFile): string[] {
  const events: Event[] = [
    ...queue.map(({ savedAt, change, collection, kind }) => ({
      at: savedAt,
      text: `保存 ${change} ${collection} ${kind}`,
    })),
    ...moves.map((move) => ({
      at: move.at,
      text: `台帳 ${move.change} ${move.collection} ${move.kind} ${move.from || '（新）'} → ${move.to}（${move.status}）${move.wish === 'none' ? '' : ` 希望 ${move.wish}`}`,
    })),
    ...calls.map(({ at, method, path, status, ms, sent, received }) => ({
      at,
      text: `通信 ${method} ${path} ${status || '返事なし'} ${ms}ms 送 ${bytesText(sent)} 受 ${bytesText(received)}`,
    })),
    ...measured.map(({ at, name, value, route }) => ({ at, text: `速さ ${name} ${value} ${route}` })),
    ...errors.map(({ at, message, response, screen }) => ({
      at,
      text: `エラー ${message} ${response.replaceAll('\n', ' ')} ${screen}`.trimEnd(),
    })),
  ]
  const lines = events
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
    .map(({ at, text }) => `  ${timeOf(at)} ${text}`)
  return [`できごと ${events.length}件`, ...lines]
}

const contentsOf = ({ contents }: SupportFile): string[] =>
  contents
    ? [
        '',
        `内容も入っています：記録 ${contents.records.length}、台帳 ${contents.ledger.length}、入力途中 ${contents.drafts.length}、エラー ${contents.errors.length}`,
      ]
    : []
