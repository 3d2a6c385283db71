/** The policy in the page, and all headers in `vite preview`, so that every test and demo runs under them. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Plugin } from 'vite'
import { CODE_READER, headersFor, headersOfCodeReader, withPolicy } from './content-policy.ts'

export function policyInPage(): Plugin {
  let addresses: string[] = []
  return {
    name: 'policy-in-page',
    apply: 'build',
    configResolved({ env }) {
      const said = [env['VITE_API_ENDPOINT'], env['VITE_FILE_STORE_ENDPOINT']].map((each) =>
        String(each ?? ''),
      )
      addresses = said.filter((each) => each !== '')
      // of a build that names its CRM the policy is narrow: what else it calls is named with it
      const telemetry = String(env['VITE_TELEMETRY_ENDPOINT'] ?? '')
      if (addresses.length > 0 && telemetry !== '') addresses.push(telemetry)
    },
    transformIndexHtml: { order: 'post', handler: (html) => withPolicy(html, addresses) },
  }
}

export const previewHeaders: Plugin = {
  name: 'preview-headers',
  configurePreviewServer({ config, middlewares }) {
    const page = resolve(config.root, config.build.outDir, 'index.html')
    middlewares.use(({ url = '' }, response, next) => {
      // read each time: a test puts a second version in its place
      const headers = headersFor(readFileSync(page, 'utf8'))
      const sent = url.startsWith(CODE_READER) ? headersOfCodeReader(headers) : headers
      for (const [name, value] of Object.entries(sent)) response.setHeader(name, value)
      next()
    })
  },
}
