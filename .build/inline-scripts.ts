/**
 * Replaces `<script data-inline="src/….ts"></script>` in index.html by the module's code, so that the first paint
 * needs no other file.
 */
import { resolve } from 'node:path'
import { build } from 'rolldown'
import type { Plugin } from 'vite'

/** Comments and indentation in the source of the page. */
const COMMENTS = /\s*<!--.*?-->|(?<=\n)\s+/gs
const INLINE = /<script data-inline="([^"]+)"><\/script>/g

async function codeOf(root: string, path: string): Promise<string> {
  const { output } = await build({
    input: resolve(root, path),
    write: false,
    logLevel: 'warn',
    output: { format: 'iife', minify: true },
  })
  // `</` would end the script element.
  return output[0].code.trim().replaceAll('</', '<\\/')
}

export function inlineScripts(): Plugin {
  let root = ''
  return {
    name: 'inline-scripts',
    configResolved(config) {
      ;({ root } = config)
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        // Comments are removed first, because the inserted code may contain similar text.
        let page = html.replaceAll(COMMENTS, '')
        for (const [element, path = ''] of html.matchAll(INLINE)) {
          const code = await codeOf(root, path)
          page = page.replace(element, () => `<script>${code}</script>`)
        }
        return page
      },
    },
  }
}
