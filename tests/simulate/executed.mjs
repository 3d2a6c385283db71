/**
 * Which files of `sync/` were executed, and the share of their lines: V8's coverage of the bundles, led back to the sources
 * by their source maps. A line counts where some code of it is left in a bundle; it was executed where some of that was.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LEFT } from './left.mjs'

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const VALUES = new Map(DIGITS.split('').map((digit, value) => [digit, value]))

/** The numbers of one segment of a source map. */
function numbersOf(segment) {
  const numbers = []
  let [value, shift] = [0, 0]
  for (const digit of segment) {
    const bits = VALUES.get(digit)
    value += (bits & 31) << shift
    shift += 5
    if (bits & 32) continue
    numbers.push(value & 1 ? -(value >> 1) : value >> 1)
    ;[value, shift] = [0, 0]
  }
  return numbers
}

/** Calls `see(line, column, source, sourceLine)` for each segment. */
function eachSegment(mappings, see) {
  let [source, sourceLine] = [0, 0]
  mappings.split(';').forEach((text, line) => {
    let column = 0
    for (const segment of text === '' ? [] : text.split(',')) {
      const [columns, sources, lines] = numbersOf(segment)
      column += columns
      if (sources === undefined) continue
      source += sources
      sourceLine += lines
      see(line, column, source, sourceLine)
    }
  })
}

/** For each character of a script whether it was executed. */
function countsOf(functions, length) {
  const counts = new Uint8Array(length)
  const ranges = functions.flatMap((one) => one.ranges)
  ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
  for (const { startOffset, endOffset, count } of ranges)
    counts.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  return counts
}

function addScript(root, files, { url, functions }) {
  const path = fileURLToPath(url)
  if (!existsSync(`${path}.map`)) return
  const text = readFileSync(path, 'utf8')
  const counts = countsOf(functions, text.length)
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  const map = JSON.parse(readFileSync(`${path}.map`, 'utf8'))
  const names = map.sources.map((source) => relative(root, resolve(dirname(path), source)))
  eachSegment(map.mappings, (line, column, source, sourceLine) => {
    const name = names[source]
    if (!name.startsWith('sync/')) return
    const lines = files.get(name) ?? new Map()
    files.set(name, lines)
    const isExecuted = counts[starts[line] + column] === 1
    lines.set(sourceLine, (lines.get(sourceLine) ?? false) || isExecuted)
  })
}

/** Prints the table. @param dir of `NODE_V8_COVERAGE` */
export function printExecuted(root, dir, bundles) {
  const files = new Map()
  for (const name of readdirSync(dir)) {
    const { result } = JSON.parse(readFileSync(join(dir, name), 'utf8'))
    for (const script of result)
      if (bundles.some((bundle) => script.url.startsWith(`file://${bundle}/`))) addScript(root, files, script)
  }
  const all = readdirSync(join(root, 'sync'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `sync/${name}`)
    .toSorted()
  let [lines, executed, loaded] = [0, 0, 0]
  for (const name of all) {
    const known = files.get(name)
    const isTypes =
      !known && !/^export (async )?(const|function|class)/m.test(readFileSync(join(root, name), 'utf8'))
    if (isTypes) continue
    const missed = [...(known ?? [])].filter(([, is]) => !is).map(([line]) => line + 1)
    const size = known?.size ?? 0
    lines += size
    executed += size - missed.length
    loaded += known ? 1 : 0
    const share = size === 0 ? 'never loaded' : `${(((size - missed.length) / size) * 100).toFixed(0)} %`
    const left = missed.toSorted((a, b) => a - b).join(' ')
    if (missed.length > 0 || !known)
      console.log(`${name.padEnd(58)} ${share.padStart(12)}  ${LEFT[name] ?? '?'}  ${left}`)
  }
  const percent = ((executed / lines) * 100).toFixed(1)
  console.log(
    `${loaded} files of sync/ were loaded; ${executed} of ${lines} lines with code were executed (${percent} %)`,
  )
}
