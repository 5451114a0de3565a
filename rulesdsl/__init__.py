"""Board games as content: a rules language, its checker, its compiler, its interpreter."""
