/**
 * RxDB sorts the names in a schema as the language of the device does. The first such comparison loads the collator, 35 ms of
 * a start on a slow phone: in a build the same order comes without it (docs/decisions/0116-what-was-compiled-is-taken.md).
 * Tried with RxDB 17.6.
 */
import { resolve } from 'node:path'
import type { Plugin } from 'vite'

const ASKED = 'a.localeCompare(b)'

/** @throws where RxDB sorts in another way */
export function withKeyOrder(code: string, module: string): string {
  if (!code.includes(ASKED)) throw new Error('RxDB sorts the names of a schema in another way')
  return `import { keyOrder } from ${JSON.stringify(module)};${code.replaceAll(ASKED, 'keyOrder(a, b)')}`
}

export function rxdbWithoutCollator(): Plugin {
  let module = ''
  return {
    name: 'rxdb-without-collator',
    apply: 'build',
    configResolved({ root }) {
      module = resolve(root, 'src/lib/key-order.ts')
    },
    transform: {
      filter: { id: /\/rxdb\/dist\/esm\/plugins\/utils\/utils-object\.js$/ },
      handler: (code) => ({ code: withKeyOrder(code, module), map: null }),
    },
  }
}
