/**
 * Reads a recipe (docs/recipes/*.md) as the steps that it tells. Below a heading `## …`, a line that is nothing but a path
 * in backticks says which file the blocks after it are of:
 *
 *     ```diff       lines of that file: what stands there now (and what goes), and what comes
 *     ```sh         commands
 *     ```ts, tsx    the whole of a new file
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** @returns {import('./recipe.d.mts').Block[]} */
export function blocksOf(markdown) {
  const blocks = []
  let [step, path, open] = ['', null, null]
  for (const line of markdown.split('\n')) {
    const fence = /^```(\w*)$/.exec(line)
    if (open && fence) {
      const { lines, ...block } = open
      blocks.push({ ...block, text: lines.join('\n') })
      open = null
    } else if (open) open.lines.push(line)
    else if (fence) open = { step, path, kind: KINDS[fence[1]] ?? 'file', lines: [] }
    else {
      step = /^## (.*)$/.exec(line)?.[1] ?? step
      path = /^`([^` ]+)`$/.exec(line)?.[1] ?? path
    }
  }
  return blocks
}

const KINDS = { diff: 'diff', sh: 'commands' }

/** What a person writes: generated files, tests and documents are said apart. */
export function filesOf(blocks) {
  const paths = [...new Set(blocks.filter(({ kind }) => kind !== 'commands').map(({ path }) => path))]
  return {
    product: paths.filter((path) => !/^(?:tests|docs)\//.test(path)),
    tests: paths.filter((path) => path.startsWith('tests/')),
  }
}

/**
 * @returns the file's text with the block's lines in it
 * @throws Error where what the block says of the file today is not, or not once, there
 */
export function patched(text, { path, text: diff }) {
  const lines = diff.split('\n')
  const side = (sign) =>
    lines
      .filter((line) => !line.startsWith(sign))
      .map((line) => `${line.slice(1)}\n`)
      .join('')
  const [before, after] = [side('+'), side('-')]
  const found = text.split(before).length - 1
  if (before === '' || found !== 1)
    throw new Error(`${path}: these lines are there ${found} times, not once:\n${before}`)
  return text.replace(before, () => after)
}

const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const camel = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())
const pascal = (name) => camel(name).replace(/^\w/, (letter) => letter.toUpperCase())

/** The same blocks about something with another name (in any spelling) and another label. */
export function renamed(blocks, from, to) {
  const forms = [kebab, camel, pascal].map((form) => [form(from.name), form(to.name)])
  const other = (text) =>
    [...forms, [from.label, to.label]].reduce((said, [old, now]) => said.replaceAll(old, now), text)
  return blocks.map(({ path, text, ...block }) => ({
    ...block,
    path: path && other(path),
    text: other(text),
  }))
}

/** Writes the blocks into a tree, and runs their commands there. */
export function apply(root, blocks, env = process.env) {
  for (const block of blocks) {
    const { kind, path, text } = block
    if (kind === 'commands')
      for (const command of text.split('\n').filter(Boolean))
        execFileSync('sh', ['-c', command], { cwd: root, env, encoding: 'utf8', stdio: 'pipe' })
    else {
      const file = join(root, path)
      if (kind === 'file' && existsSync(file)) throw new Error(`${path} is there already`)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, kind === 'file' ? `${text}\n` : patched(readFileSync(file, 'utf8'), block))
    }
  }
}

/** A copy of what git knows of the tree (and what it does not ignore), with this tree's packages. */
export function copyOf(root, to) {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const files = execFileSync('git', list, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 }).split('\0')
  for (const file of files.filter((each) => each !== '' && existsSync(join(root, each))))
    cpSync(join(root, file), join(to, file))
  // hard links: Vite serves no file outside of the tree
  execFileSync('cp', ['-al', join(root, 'node_modules'), join(to, 'node_modules')])
  return to
}
