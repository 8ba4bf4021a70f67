import type { Locator } from 'playwright-core'

/** Opens the menu of a card. Returns an item of it. */
export async function menuItemOf(card: Locator, item: string): Promise<Locator> {
  const button = card.locator('button[aria-haspopup=menu]')
  await card.hover()
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
  await card.getByRole('menu').waitFor()
  return card.getByRole('menuitem', { name: item, exact: true })
}

/** Chooses an item of the menu of a card. */
export async function chooseInMenu(card: Locator, item: string): Promise<void> {
  await (await menuItemOf(card, item)).click()
}
