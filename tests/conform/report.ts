/** What the run found, as text for people and as JUnit for machines. */
import { groups } from './clauses.ts'
import type { Finding, Outcome } from './run.ts'
import type { Verdict } from './verdict.ts'

const words: Record<Verdict, string> = { pass: '合格', fail: '不合格', lack: 'なし', skip: '未確認' }

export const lineOf = ({ clause, verdict, message, ms }: Finding): string =>
  `${clause.id.padEnd(4)} ${words[verdict].padEnd(4, '　')} ${String(ms).padStart(6)} ms  ${clause.title}${message ? `\n            → ${message}` : ''}`

export const headingOf = (letter: string) => `\n${letter} ${groups[letter] ?? ''}`

type Ran = Extract<Outcome, { kind: 'ran' }>

/** The end of the report: what the CRM lacks and what the app does then, what was made, the sums. */
export function summaryOf({ findings, made, mark }: Ran): string {
  const of = (verdict: Verdict) => findings.filter((each) => each.verdict === verdict)
  const lacking = of('lack').map(
    ({ clause }) => `  ${clause.id}  ${clause.title}\n       ${clause.without ?? ''}`,
  )
  const left = made.map(({ what, id, at }) => `  ${what}  ${id}（${at}）`)
  return [
    ...(lacking.length > 0 ? ['\nこの CRM にないもの（希望）と、そのときのアプリ', ...lacking] : []),
    ...(left.length > 0 ? [`\n残した記録（文章には ${mark} があります）`, ...left] : []),
    `\n合格 ${of('pass').length}、不合格 ${of('fail').length}、なし ${of('lack').length}、未確認 ${of('skip').length}`,
  ].join('\n')
}

/** A character that XML 1.0 cannot have. */
const NOT_XML =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const escaped = (text: string) =>
  text
    .replaceAll(NOT_XML, '?')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** A broken must is a failure; what is wished and not there, and what could not be tried, is skipped with its reason. */
export function junitOf({ findings }: Ran): string {
  const cases = findings.map(({ clause, verdict, message, ms }) => {
    const open = `    <testcase classname="conform.${clause.id.charAt(0)}" name="${escaped(`${clause.id} ${clause.title}`)}" time="${(ms / 1000).toFixed(3)}"`
    if (verdict === 'pass') return `${open}/>`
    const tag = verdict === 'fail' ? 'failure' : 'skipped'
    return `${open}><${tag} message="${escaped(`${words[verdict]}：${message}`)}"/></testcase>`
  })
  const failures = findings.filter(({ verdict }) => verdict === 'fail').length
  const skipped = findings.filter(({ verdict }) => verdict === 'lack' || verdict === 'skip').length
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="conform" tests="${findings.length}" failures="${failures}" errors="0" skipped="${skipped}">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}
