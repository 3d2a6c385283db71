/** The lines of a file, of which none is longer than is looked at. */
import { createReadStream } from 'node:fs'

/** @throws RangeError where a line is longer @throws where the file cannot be read */
export async function* linesOf(path: string, longest: number): AsyncGenerator<string, void, undefined> {
  let parts: string[] = []
  let length = 0
  for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const [first = '', ...others] = chunk.split('\n')
    parts.push(first)
    length += first.length
    if (length > longest) throw new RangeError('a line too long')
    for (const next of others) {
      yield parts.join('').replace(/\r$/, '')
      parts = [next]
      length = next.length
    }
  }
  if (length > 0) yield parts.join('')
}
