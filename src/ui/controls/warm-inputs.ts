/** Builds and removes a time input ahead: the page's first takes 60 ms on a phone. @param idle resolves when idle */
export async function warmTimeInput(idle: () => Promise<void>): Promise<void> {
  const input = document.createElement('input')
  await idle()
  input.type = 'time'
  await idle()
  input.ariaHidden = 'true'
  input.style.position = 'absolute'
  document.body.append(input)
  input.getBoundingClientRect()
  input.remove()
}
