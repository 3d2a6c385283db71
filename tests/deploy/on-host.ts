/** A phone whose app comes from a real server, with the demo CRM behind it. */
import { test as onPhone } from '../e2e/phone.ts'
import { isInstalled, setUpHost, type Host, type ServerName } from './host.ts'
import { thisBuild } from './releases.ts'

export const test = onPhone.extend<{ server: ServerName; host: Host }>({
  server: ['nginx', { option: true }],
  host: async ({ server }, use) => {
    test.skip(!isInstalled(server), `${server} is not installed: left out`)
    const host = await setUpHost(server)
    const release = thisBuild()
    host.genba('put', release.folder)
    release.remove()
    await host.run()
    await use(host)
    await host.close()
  },
  baseURL: ({ host }, use) => use(host.url),
  // the certificate is the test's own; a service worker is not installed with an unknown one
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
  browserArgs: async ({}, use) => use(['--ignore-certificate-errors']),
  crm: async ({ host, request }, use) => {
    const at = (path: string) => `${host.crmUrl}/__demo/${path}`
    await request.post(at('reset'))
    await use({
      state: async () => (await request.get(at('state'))).json(),
      faults: async (faults) => void (await request.post(at('faults'), { data: faults })),
      calls: async () => (await request.get(at('calls'))).json(),
    })
  },
})
