/**
 * Does in this tree what a recipe tells, with other names (docs/recipes):
 *
 *     npm run new -- field liftKey 昇降機の鍵           a text of 緊急報告
 *     npm run new -- resource tank-note 水槽メモ        notes of a request
 *
 * It wants a tree without uncommitted changes, so that `git restore . && git clean -fd src schemas sync tests` takes it back.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { apply, blocksOf, renamed } from './recipe.mjs'

const EXAMPLES = {
  field: { name: 'siteMemo', label: '現場への連絡事項', form: /^[a-z]+(?:[A-Z][a-z]+)*$/ },
  resource: { name: 'device-note', label: '機器メモ', form: /^[a-z]+(?:-[a-z]+)+$/ },
}

const root = resolve(import.meta.dirname, '../..')
const [kind = '', name = '', label = ''] = process.argv.slice(2)
const example = EXAMPLES[kind]

function problem() {
  if (!example) return 'npm run new -- field <name> <label>, or resource <slug> <label>'
  if (!example.form.test(name)) return `a name like ${example.name}, not 「${name}」`
  if (label === '') return 'the label that users read is missing'
  const changed = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })
  return changed === '' ? null : 'commit first: there are changes in this tree'
}

const said = problem()
if (said) {
  console.error(said)
  process.exitCode = 1
} else {
  const blocks = blocksOf(readFileSync(join(root, `docs/recipes/${kind}.md`), 'utf8'))
  // The recipe's `npm run i18n` would stop at the texts that have no translation yet.
  apply(root, renamed(blocks, example, { name, label }), { ...process.env, UNTRANSLATED: 'allowed' })
  console.log(execFileSync('git', ['status', '--short'], { cwd: root, encoding: 'utf8' }))
  console.log(`As docs/recipes/${kind}.md tells: now make it say what it is for.`)
  console.log('Write the translations that npm run i18n names, and run npm run test:quick.')
}
