/** `docs/plants.md`: every planted defect, and what told of it when it was last tried. */
const NAMES = '| 場所 | 欠陥 | 見つけたもの |\n'
const NOT_CAUGHT = '**見つからない**'

const cellOf = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** @returns the rows of the page: room, name and what told of it, as they are written */
export function rowsOf(page) {
  const lines = page.slice(page.indexOf(NAMES)).split('\n').slice(2)
  const rows = lines.map((line) => /^\| (\S+) \| (.+?) \| (.+) \|$/.exec(line)).filter((row) => row !== null)
  return rows.map(([, room, name, by]) => ({ room, name, by }))
}

/** @returns the page with these rows; of the rooms that were not tried now it says what it said */
export function pageOf(page, tried) {
  const rooms = new Set(tried.map(({ room }) => room))
  const now = tried.map(({ room, name, by }) => ({
    room,
    name: cellOf(name),
    by: by === null ? NOT_CAUGHT : cellOf(by),
  }))
  const rows = [...rowsOf(page).filter(({ room }) => !rooms.has(room)), ...now]
  rows.sort((a, b) => (a.room < b.room ? -1 : a.room > b.room ? 1 : 0))
  const caught = rows.filter(({ by }) => by !== NOT_CAUGHT).length
  const [head] = page.split(/^\d+ 件のうち/m)
  const sum = `${rows.length} 件のうち ${caught} 件（${((caught / rows.length) * 100).toFixed(1)} %）が見つかりました。\n`
  const lines = rows.map(({ room, name, by }) => `| ${room} | ${name} | ${by} |\n`)
  return `${head}${sum}\n${NAMES}|---|---|---|\n${lines.join('')}`
}
