/**
 * `npm run conform -- --url … --user … --password …`: the contract's clauses against a CRM over HTTP (docs/conform.md).
 * Ends with 0 where every clause that must hold does, 1 where one does not, 2 where nothing could be tried.
 */
import { writeFileSync } from 'node:fs'
import { clauseTable } from './clauses.ts'
import { HELP, parseOptions, type ConformOptions } from './options.ts'
import { headingOf, junitOf, lineOf, summaryOf } from './report.ts'
import { conform } from './run.ts'

async function run(options: ConformOptions): Promise<number> {
  console.log(
    options.host
      ? `${options.host}（アプリを置いたホスト）を確かめます。`
      : `${options.url} を ${options.full ? '書き込みも含めて' : '読み取りだけで'}確かめます。`,
  )
  let group = ''
  const outcome = await conform(options, (finding) => {
    const letter = finding.clause.id.charAt(0)
    if (letter !== group) console.log(headingOf(letter))
    group = letter
    console.log(lineOf(finding))
  })
  if (outcome.kind === 'stopped') {
    console.error(outcome.problem)
    return 2
  }
  console.log(summaryOf(outcome))
  if (options.junit) writeFileSync(options.junit, junitOf(outcome))
  return outcome.findings.some(({ verdict }) => verdict === 'fail') ? 1 : 0
}

async function main(): Promise<number> {
  const parsed = parseOptions(process.argv.slice(2), process.env)
  switch (parsed.kind) {
    case 'help':
      console.log(HELP)
      return 0
    case 'clauses':
      console.log(clauseTable())
      return 0
    case 'wrong':
      console.error([...parsed.problems, '', HELP].join('\n'))
      return 2
    case 'options':
      return run(parsed.options)
  }
}

process.exitCode = await main()
