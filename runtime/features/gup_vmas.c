// SPDX-License-Identifier: GPL-2.0-or-later
/* get_user_pages() tells the areas too; its fifth argument is gone with 6.5. */
#include <linux/mm.h>

long test(struct page **pages, struct vm_area_struct **vmas);
long test(struct page **pages, struct vm_area_struct **vmas)
{
	return get_user_pages(0, 1, 0, pages, vmas);
}
