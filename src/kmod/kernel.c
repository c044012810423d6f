/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is asked of this back end without a job: the kernel's build tree, and the cache of finished
 * modules. A job opens the tree again when it comes to building, and reports then why it cannot.
 */
#include "kmod/internal.h"
#include "module/module.h"
#include "runtime/uapi/wire.h"

_Static_assert(BACKEND_NAME_MAX == STP_MODULE_NAME_MAX, "what -m accepts is the name of a module");

struct error *kmod_kernel_open(const char *spec, struct backend_kernel *ret)
{
	struct module_kernel *kernel;
	struct error *err = module_kernel_open(spec, &kernel);

	if (err)
		return err;
	*ret = (struct backend_kernel){
		.release = module_kernel_release(kernel),
		.arch = module_kernel_arch(kernel),
		.make_arch = module_kernel_make_arch(kernel),
		.root = module_kernel_root(kernel),
		.state = kernel,
	};
	return NULL;
}

const char *kmod_kernel_config(const struct backend_kernel *kernel, const char *name)
{
	return kernel->state ? module_kernel_config(kernel->state, name) : NULL;
}

struct error *kmod_header_command(const struct backend_kernel *kernel, struct arena *arena,
				  const char *const **ret)
{
	return module_header_command(kernel->state, arena, ret);
}

void kmod_kernel_close(struct backend_kernel *kernel)
{
	module_kernel_close(kernel->state);
	*kernel = (struct backend_kernel){ 0 };
}

struct error *kmod_clean_cache(const char *dir)
{
	struct module_cache *cache;
	struct error *err = module_cache_open(dir, &cache);

	if (err)
		return err;
	module_cache_clean(cache, true);
	module_cache_close(cache);
	return NULL;
}
