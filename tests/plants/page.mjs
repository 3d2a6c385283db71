/** `docs/generated/plants.md`: every planted defect, room by room, and what noticed it when it was last tried. */
const NOT_CAUGHT = '**見つからない**'
const BETWEEN = ' — '

/** Longest text of a cell that cites no rule. */
const BRIEF = 44

/** @returns the test or the seed that noticed a defect, with the rules its title cites where the name of the defect has none */
function briefly(text, name) {
  const cited = /^([\w/ -]+?):? .*?((?:\[[\w ]+\])+)/.exec(text)
  if (cited) return /^[A-Z]{2}\d/.test(name) ? cited[1] : `${cited[1]} ${cited[2]}`
  return text.length <= BRIEF ? text : `${text.slice(0, BRIEF).replace(/[\s>,:]+\S*$/, '')}…`
}

const lineOf = (text) => text.replaceAll('\n', ' ')

/** @returns the rows of the page: room, name and what noticed it, as they are written */
export function rowsOf(page) {
  const rows = []
  let room
  for (const line of page.split('\n')) {
    room = /^## (\S+)$/.exec(line)?.[1] ?? room
    const at = line.lastIndexOf(BETWEEN)
    if (room && line.startsWith('- ') && at > 0)
      rows.push({ room, name: line.slice(2, at), by: line.slice(at + BETWEEN.length) })
  }
  return rows
}

/** @returns the page with these rows; of the rooms that were not tried now it says what it said */
export function pageOf(page, tried) {
  const rooms = new Set(tried.map(({ room }) => room))
  const now = tried.map(({ room, name, by }) => ({
    room,
    name: lineOf(name),
    by: by === null ? NOT_CAUGHT : briefly(lineOf(by), name),
  }))
  const rows = [...rowsOf(page).filter(({ room }) => !rooms.has(room)), ...now]
  rows.sort((a, b) => (a.room < b.room ? -1 : a.room > b.room ? 1 : 0))
  const caught = rows.filter(({ by }) => by !== NOT_CAUGHT).length
  const [head] = page.split(/^\d+ 件のうち/m)
  const sum = `${rows.length} 件のうち ${caught} 件（${((caught / rows.length) * 100).toFixed(1)} %）が見つかりました。\n`
  const named = [...new Set(rows.map(({ room }) => room))]
  const parts = named.map((room) => {
    const lines = rows.filter((row) => row.room === room).map(({ name, by }) => `- ${name}${BETWEEN}${by}\n`)
    return `\n## ${room}\n\n${lines.join('')}`
  })
  return `${head}${sum}${parts.join('')}`
}
