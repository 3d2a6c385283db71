/**
 * Lets Chromium reuse the code that it compiled at an earlier start (decisions/speed). Chromium compiles a file from the
 * service worker again if the page requests it as a module (`modulepreload`), and uses its code cache if the page
 * requests it as a script (`preload`).
 */
import type { Plugin } from 'vite'

/** Makes Chromium compile every function of a chunk on another thread, so that the code cache contains them all. */
export const ALL_COMPILED = '//# allFunctionsCalledOnLoad'

const HAS_WORKER = 'navigator.serviceWorker?.controller'
const SUPPORTS = /\w+\.supports\((['"`])modulepreload\1\)/
const LINK = /\s*<link rel="modulepreload" crossorigin href="([^"]+)">/g
const ENTRY = /<script type="module" crossorigin src="([^"]+)"><\/script>/

/**
 * A script that adds `rel` to the links to the first chunks, which starts the requests. The script and its hash in the
 * content policy are the same in every build.
 */
const REQUEST =
  `<script>for(const link of document.querySelectorAll('link[data-chunk]'))` +
  `link.rel=${HAS_WORKER}?'preload':'modulepreload'</script>`

/** A link to a first chunk, without `rel`, so that it requests nothing before `REQUEST` runs. */
const linkTo = (file: string) => `<link data-chunk as="script" crossorigin href="${file}">`

export const compiledCode: Plugin = {
  name: 'compiled-code',
  apply: 'build',
  transform: {
    filter: { id: /vite\/preload-helper/ },
    handler(code) {
      if (!SUPPORTS.test(code))
        this.error('compiled-code: Vite chooses the kind of its preload links in another way')
      return { code: code.replace(SUPPORTS, (isKnown) => `${isKnown} && !${HAS_WORKER}`), map: null }
    },
  },
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const entry = ENTRY.exec(html)
      if (!entry?.[1]) throw new Error('compiled-code: the page has no entry')
      const files = [entry[1], ...[...html.matchAll(LINK)].map(([, file = '']) => file)]
      return html
        .replaceAll(LINK, '')
        .replace(entry[0], () => files.map(linkTo).join('') + REQUEST + entry[0])
    },
  },
}
