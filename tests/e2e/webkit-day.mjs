/**
 * A day's work in WebKit. `check(title, work)` runs one step and counts it; `server.offline()` takes the
 * network away and `server.online()` gives it back.
 */
export async function day({ page, server, check }) {
  await check('the app opens', async () => {
    await page.navigate(server.url)
    await page.waitFor(() => document.querySelector('#root')?.childElementCount, { what: 'the first screen' })
  })
}
