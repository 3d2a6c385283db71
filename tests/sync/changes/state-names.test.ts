/**
 * In how many files of the product the states of OC1 are named: as a word beside `state` or `event`, or by an import of
 * their types and predicates. Who adds a state goes through these files. `TRACE=1` names them.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { STATE_TABLE } from '#schemas/send-state.ts'

const WORDS = Object.keys(STATE_TABLE)
/** Screens show 待機 for `unknown`; where they say the word it is about something else. */
const SCREEN_WORDS = WORDS.filter((word) => word !== 'unknown')
const quoted = (words: readonly string[]) => `["'](?:${words.join('|')})["']`
/** What a line with such a word is about, where it is about a change or photo, and where it is about a call. */
const OF_STATE = /state|\bevent [!=]==|\b(?:put|putById)\(|as: |progress\b|NOT_SHOWN|OUTCOMES/i
const OF_CALL = new RegExp(`\\bkind\\b[^'"]{0,6}${quoted(WORDS)}|status|phase ===`)
const IMPORTED =
  /import (?:type )?\{[^}]*\b(?:StoredState|SendState|StateEvent|isOpen|isInDoubt|isParked|isActionable|isSendable|SEND_STATE|afterEvent|mayHaveArrived|isDone)\b[^}]*\} from '(?!#data\/database\/data-lock)/

const files = ['schemas', 'src', 'sync'].flatMap((top) =>
  readdirSync(top, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('demo-crm'))
    .map((path) => join(top, path)),
)

function namesState(path: string): boolean {
  const text = readFileSync(path, 'utf8')
  const word = new RegExp(quoted(path.startsWith('src') ? SCREEN_WORDS : WORDS))
  const isNaming = (line: string) => word.test(line) && OF_STATE.test(line) && !OF_CALL.test(line)
  return IMPORTED.test(text) || text.split('\n').some(isNaming)
}

test('[OC1] few files name the state of a change', () => {
  const naming = files.filter(namesState)
  if (process.env['TRACE']) console.log(naming.join('\n'), `\n${naming.length} files`)
  expect(naming).toContain(join('schemas', 'send-state.ts'))
  expect(naming.length).toBeLessThanOrEqual(50)
})
