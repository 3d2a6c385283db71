/** Every clause, by number. A number is never given again. */
import { accessClauses } from './cases/access.ts'
import { conditionalClauses } from './cases/conditional.ts'
import { errorClauses } from './cases/errors.ts'
import { fileStoreClauses } from './cases/file-store.ts'
import { idempotencyClauses } from './cases/idempotency.ts'
import { limitClauses } from './cases/limits.ts'
import { networkClauses } from './cases/network.ts'
import { quickReportClauses } from './cases/quick-report.ts'
import { readClauses } from './cases/reads.ts'
import { recordClauses } from './cases/records.ts'
import { timeClauses } from './cases/time.ts'
import { byNumber, type Clause } from './clause.ts'
import { hostClauses } from './host.ts'

export const clauses: readonly Clause[] = [
  ...accessClauses,
  ...readClauses,
  ...conditionalClauses,
  ...quickReportClauses,
  ...recordClauses,
  ...idempotencyClauses,
  ...timeClauses,
  ...errorClauses,
  ...limitClauses,
  ...fileStoreClauses,
  ...networkClauses,
].toSorted(byNumber)

export const groups: Readonly<Record<string, string>> = {
  A: '接続とログイン',
  B: '読み取り',
  C: '条件つきの読み書き',
  D: '登録と変更',
  E: '一度だけ（Idempotency-Key）',
  F: '時刻',
  G: '誤りの形',
  H: '文字数',
  I: 'ファイル保管',
  J: '呼び出しの多さ',
  K: '別の住所（CORS）',
  L: '中継',
  M: 'アプリを置いたホスト（--host）',
}

const levelText = { must: '必須', wish: '希望' }
const modeText = { read: '読み取り', full: '書き込み' }

/** The table of the clauses in Markdown, as `docs/generated/clauses.md` has it. */
export function clauseTable(): string {
  const rows = [...clauses, ...hostClauses].map(
    ({ id, title, level, mode, without }) =>
      `| ${id} | ${title.replaceAll('|', '・').replaceAll('<b>', '`<b>`')} | ${levelText[level]} | ${modeText[mode]} | ${without ?? ''} |`,
  )
  return ['| 番号 | 条項 | | 試験 | ないとき、アプリは |', '|---|---|---|---|---|', ...rows].join('\n')
}
